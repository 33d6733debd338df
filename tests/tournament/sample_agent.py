"""A stand-in for the official sample: its config, its client package, one thread a seat, an endpoint for the words."""

import sys
from pathlib import Path
from threading import Thread

import openai
import yaml
from aiwolf_nlp_common.client import Client
from aiwolf_nlp_common.packet import Request

config = yaml.safe_load(Path(sys.argv[sys.argv.index("-c") + 1]).read_text(encoding="utf-8"))
model = openai.OpenAI(base_url=config["openai"]["base_url"], api_key="none")


def play(name: str) -> None:
    client = Client(config["web_socket"]["url"], config["web_socket"]["token"])
    client.connect()
    info, said = None, 0
    while (packet := client.receive()).request != Request.FINISH:
        info = packet.info or info
        others = (
            [who for who, status in info.status_map.items() if status == "ALIVE" and who != info.agent] if info else []
        )
        if packet.request == Request.NAME:
            client.send(name)
        elif packet.request in (Request.TALK, Request.WHISPER):
            said += 1
            ask = [{"role": "user", "content": f"{name}, talk {said}"}]
            told = model.chat.completions.create(model=config["openai"]["model"], messages=ask)  # type: ignore[arg-type]
            client.send(told.choices[0].message.content or "Over")
        elif packet.request in (Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK):
            client.send(others[0])
    client.close()


seats = [Thread(target=play, args=(f"{config['agent']['team']}{n + 1}",)) for n in range(config["agent"]["num"])]
for seat in seats:
    seat.start()
for seat in seats:
    seat.join()
