# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
"""A client of NFS 3 (RFC 1813) on this machine. Lines as ClientProgram.java describes them; arguments: ports of NFS and of mountd.

Not by libnfs: its nfs_open wants exactly the rights that it asks for, and the gateway always grants the one to delete, too.
"""
import os
import socket
import struct
import sys
import time

PIECE = 256 * 1024
# The gateway leaves a call without an answer when its HDFS client fails unexpectedly. Clients in kernels wait for ever.
TIMEOUT_SECONDS = 10
TRY_LATER = 10008
RETRIES = 300
NAMES = {1: "PERM", 2: "NOENT", 5: "IO", 13: "ACCES", 17: "EXIST", 22: "INVAL", 28: "NOSPC", 70: "STALE", 10004: "NOTSUPP", 10006: "SERVERFAULT", TRY_LATER: "JUKEBOX"}
ATTRIBUTES_BYTES = 84


def number(value):
    return struct.pack(">I", value)


def long(value):
    return struct.pack(">Q", value)


def opaque(content):
    return number(len(content)) + content + bytes(-len(content) % 4)


class Answer:
    """Results, from their beginning to their end."""

    def __init__(self, content):
        self.content = content

    def take(self, count):
        taken, self.content = self.content[:count], self.content[count:]
        return taken

    def number(self):
        return struct.unpack(">I", self.take(4))[0]

    def long(self):
        return struct.unpack(">Q", self.take(8))[0]

    def opaque(self):
        count = self.number()
        taken = self.take(count)
        self.take(-count % 4)
        return taken

    def size(self):
        """Of attributes that may be left out."""
        return struct.unpack(">Q", self.take(ATTRIBUTES_BYTES)[20:28])[0] if self.number() else None

    def changed(self):
        """Attributes of before and after."""
        if self.number():
            self.take(24)
        self.size()


class Program:
    """Calls of a program, each answered before the next one."""

    def __init__(self, port, program):
        self.port = port
        self.program = program
        self.transaction = 0
        self.socket = None

    def call(self, procedure, arguments):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), TIMEOUT_SECONDS)
        self.transaction += 1
        user = opaque(number(0) + opaque(b"localhost") + number(os.getuid()) + number(os.getgid()) + number(0))
        message = number(self.transaction) + number(0) + number(2) + number(self.program) + number(3) + number(procedure)
        message += number(1) + user + number(0) + number(0) + arguments
        try:
            self.socket.sendall(number(0x80000000 | len(message)) + message)
            answer = Answer(self.receive())
            while answer.number() != self.transaction:
                # The gateway answers a COMMIT twice which it has put off: it is done later, and who asks again knows.
                answer = Answer(self.receive())
        except OSError as failure:
            # Whatever comes later is of no use.
            self.socket.close()
            self.socket = None
            raise OSError("no answer: %s" % failure) from failure
        answer.take(16)  # It is an answer, accepted, without a verifier.
        accepted = answer.number()
        if accepted != 0:
            raise OSError("accept_stat=%d" % accepted)
        return answer

    def receive(self):
        received = b""
        is_last = False
        while not is_last:
            head = struct.unpack(">I", self.exactly(4))[0]
            is_last = head & 0x80000000 != 0
            received += self.exactly(head & 0x7FFFFFFF)
        return received

    def exactly(self, count):
        received = b""
        while len(received) < count:
            more = self.socket.recv(count - len(received))
            if not more:
                raise OSError("the connection was closed")
            received += more
        return received


class Share:
    """The root of an NFS server."""

    def __init__(self, port, mount_port):
        mounted = Program(mount_port, 100005).call(1, opaque(b"/"))
        if mounted.number() != 0:
            raise OSError("not mounted")
        self.root = mounted.opaque()
        self.nfs = Program(port, 100003)

    def call(self, name, procedure, arguments):
        for _ in range(RETRIES):
            answer = self.nfs.call(procedure, arguments)
            status = answer.number()
            if status == 0:
                return answer
            if status != TRY_LATER:
                break
            time.sleep(0.1)
        raise OSError("%s: NFS3ERR_%s" % (name, NAMES.get(status, status)))

    def find(self, path):
        handle = self.root
        for name in path.strip("/").split("/"):
            handle = self.call("LOOKUP", 3, opaque(handle) + opaque(name.encode())).opaque()
        return handle

    def place(self, path):
        folder, name = path.rsplit("/", 1)
        return opaque(self.find(folder)) + opaque(name.encode())

    def size(self, handle):
        attributes = self.call("GETATTR", 1, opaque(handle)).take(ATTRIBUTES_BYTES)
        return struct.unpack(">Q", attributes[20:28])[0]

    def create(self, path):
        mode = number(1) + number(0o644) + number(0) * 5
        created = self.call("CREATE", 8, self.place(path) + number(0) + mode)
        return created.opaque() if created.number() else self.find(path)

    def write(self, handle, parts):
        for offset, part in parts:
            # Not stable: COMMIT follows.
            written = self.call("WRITE", 7, opaque(handle) + long(offset) + number(len(part)) + number(0) + opaque(part))
            written.changed()
            count = written.number()
            if count != len(part):
                raise OSError("WRITE: %d of %d bytes" % (count, len(part)))
        self.call("COMMIT", 21, opaque(handle) + long(0) + number(0))

    def read(self, handle, offset):
        """Some bytes, and whether these are the last ones."""
        answer = self.call("READ", 6, opaque(handle) + long(offset) + number(PIECE))
        answer.size()
        count = answer.number()
        is_last = answer.number() != 0
        return answer.opaque()[:count], is_last

    def list(self, path):
        handle = self.find(path)
        cookie = 0
        verifier = bytes(8)
        is_last = False
        listed = ""
        while not is_last:
            answer = self.call("READDIRPLUS", 17, opaque(handle) + long(cookie) + verifier + number(8192) + number(32768))
            answer.size()
            verifier = answer.take(8)
            while answer.number():
                answer.long()
                name = answer.opaque().decode()
                cookie = answer.long()
                size = answer.size()
                if answer.number():
                    answer.opaque()
                if name not in (".", ".."):
                    listed += "\t%s=%d" % (name, size)
            is_last = answer.number() != 0
        return listed


def read(share, path, local):
    handle = share.find(path)
    expected = share.size(handle)
    at = 0
    with open(local, "wb") as here:
        is_last = False
        while not is_last:
            part, is_last = share.read(handle, at)
            if not part and not is_last:
                raise OSError("READ: no bytes at %d of %d" % (at, expected))
            here.write(part)
            at += len(part)


def pieces(content, first):
    return [(first + at, content[at : at + PIECE]) for at in range(0, len(content), PIECE)]


def run(share, operation, path, local):
    if operation == "read":
        read(share, path, local)
        return ""
    if operation == "list":
        return share.list(path)
    if operation == "delete":
        share.call("REMOVE", 12, share.place(path))
        return ""
    if operation == "rename":
        share.call("RENAME", 14, share.place(path) + share.place(local))
        return ""
    with open(local, "rb") as here:
        content = here.read()
    if operation == "write":
        share.write(share.create(path), pieces(content, 0))
    elif operation == "write backwards":
        share.write(share.create(path), reversed(pieces(content, 0)))
    elif operation == "append":
        handle = share.find(path)
        share.write(handle, pieces(content, share.size(handle)))
    elif operation == "overwrite":
        # Some bytes within the file.
        share.write(share.find(path), [(100_003, content)])
    else:
        raise ValueError("operation=" + operation)
    return ""


def main():
    share = Share(int(sys.argv[1]), int(sys.argv[2]))
    for line in sys.stdin:
        operation, path, local = line.rstrip("\n").split("\t")
        try:
            answer = "::ok" + run(share, operation, path, local)
        except OSError as failure:
            answer = "::refused\t" + " ".join(str(failure).split())
        print(answer, flush=True)


main()
