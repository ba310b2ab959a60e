"""Speaks HTTP/2 with Python's h2 and hyperframe: well-formed requests, then frames that the standard forbids.

Usage: conformance.py PORT HOST. Prints one line per check: its name, a colon, and what the server did.
"""

import socket
import ssl
import struct
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, DataReceived, ResponseReceived, StreamEnded, StreamReset
from hpack import Encoder
from hyperframe.frame import HeadersFrame, SettingsFrame

port, host = int(sys.argv[1]), sys.argv[2]


def connect():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    raw = socket.create_connection(("127.0.0.1", port), timeout=20)
    return context.wrap_socket(raw, server_hostname=host)


def request_headers(path="/"):
    return [(":method", "GET"), (":path", path), (":scheme", "https"), (":authority", f"{host}:{port}")]


def get_many(count):
    """Requests on one connection, all before the first response is read."""
    tls = connect()
    h2 = H2Connection(config=H2Configuration(client_side=True))
    h2.initiate_connection()
    for _ in range(count):
        h2.send_headers(h2.get_next_available_stream_id(), request_headers(), end_stream=True)
    tls.sendall(h2.data_to_send())
    statuses, bodies, ended = [], b"", 0
    while ended < count:
        for event in h2.receive_data(tls.recv(65536)):
            if isinstance(event, ResponseReceived):
                statuses.append(dict(event.headers)[b":status"].decode())
            if isinstance(event, DataReceived):
                bodies += event.data
                h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            if isinstance(event, StreamEnded):
                ended += 1
        tls.sendall(h2.data_to_send())
    return f"{len(statuses)} x {','.join(sorted(set(statuses)))}, {len(bodies)} bytes"


def answer_to(*frames):
    """Sends the preface and these frames, and returns how the server reacted."""
    tls = connect()
    reader = H2Connection(config=H2Configuration(client_side=True))
    reader.initiate_connection()
    # So that the reader knows the stream that a frame below opens.
    reader.send_headers(1, request_headers(), end_stream=False)
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SettingsFrame(0).serialize()
    tls.sendall(preface + b"".join(frame if isinstance(frame, bytes) else frame.serialize() for frame in frames))
    while True:
        try:
            data = tls.recv(65536)
        except (ConnectionResetError, ssl.SSLError):
            return "closed"
        if not data:
            return "closed"
        for event in reader.receive_data(data):
            if isinstance(event, ConnectionTerminated):
                return f"GOAWAY {int(event.error_code)}"
            if isinstance(event, StreamReset):
                return f"RST_STREAM {int(event.error_code)}"


def headers(stream, fields, flags=("END_HEADERS", "END_STREAM")):
    frame = HeadersFrame(stream, data=Encoder().encode(fields))
    for flag in flags:
        frame.flags.add(flag)
    return frame


def raw(kind, flags, stream, body):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


print("fifty requests at once:", get_many(50))
print("DATA on stream 0:", answer_to(raw(0, 0, 0, b"x")))
print("HEADERS on an even stream:", answer_to(headers(2, request_headers())))
print("WINDOW_UPDATE of 0:", answer_to(raw(8, 0, 0, b"\0\0\0\0")))
print("a frame above the maximum size:", answer_to(raw(0, 0, 1, b"x" * 20000)))
print("PING of 7 bytes:", answer_to(raw(6, 0, 0, b"x" * 7)))
print("SETTINGS on a stream:", answer_to(raw(4, 0, 1, b"")))
print("CONTINUATION without HEADERS:", answer_to(raw(9, 4, 1, b"")))
print("a header block that cannot be decoded:", answer_to(raw(1, 5, 1, b"\xff" * 20)))
print("a request without :path:", answer_to(headers(1, [(":method", "GET"), (":scheme", "https"), (":authority", host)])))
print("an upper-case header name:", answer_to(headers(1, [*request_headers(), ("X-Upper", "1")])))
print("a connection header:", answer_to(headers(1, [*request_headers(), ("connection", "close")])))
print("more DATA than the length says:", answer_to(
    headers(1, [*request_headers("/x"), ("content-length", "1")], ("END_HEADERS",)), raw(0, 1, 1, b"xyz")))
print("fifty requests afterwards:", get_many(50))
