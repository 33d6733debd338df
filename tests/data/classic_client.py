"""A player for the classic server, written from its fact sheet alone: ``python classic_client.py -h HOST -p PORT``."""

import json
import random
import socket
import sys

options = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
sock = socket.create_connection((options.get("-h", "127.0.0.1"), int(options["-p"])))
lines = sock.makefile("r", encoding="utf-8", newline="\n")
rng = random.Random(options.get("-n", "client"))
me, alive, natural = 0, [], False
said: list[int] = []


def speak() -> str:
    said.append(1)
    if len(said) % 4 == 0:
        return rng.choice(["Skip", "Over"])
    someone = f"Agent[{rng.choice(alive):02}]"
    if natural:
        return f">>{someone} I wonder about you, {someone}. 狼かもしれない。"
    return f"BECAUSE (ESTIMATE {someone} WEREWOLF) (AND (VOTE {someone}) (REQUEST ANY (VOTE {someone})))"


for line in lines:
    packet = json.loads(line)
    request, info, setting = packet["request"], packet["gameInfo"], packet["gameSetting"]
    if setting:
        natural = not setting["validateUtterance"]
    if info:
        me = info["agent"]
        alive = [int(n) for n, status in info["statusMap"].items() if status == "ALIVE" and int(n) != me]
    reply = None
    if request in ("NAME", "ROLE"):
        reply = options.get("-n", "client") if request == "NAME" else options.get("-r", "none")
    elif request in ("TALK", "WHISPER"):
        reply = speak()
    elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
        reply = json.dumps({"agentIdx": rng.choice(alive)}, separators=(",", ":"))
    if reply is not None:
        sock.sendall(f"{reply}\n".encode())
