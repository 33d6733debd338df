"""The local table: a pure referee (``engine``, ``views``), a WebSocket server around it, and games without sockets."""
