# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
"""A program that uses HDFS by hdfs-native. Lines as ClientProgram.java describes them; argument: the folder of the site files."""
import sys

from hdfs_native import Client


def run(client, operation, path, local):
    if operation == "read":
        with client.read(path) as source, open(local, "wb") as here:
            here.write(source.read())
        return ""
    if operation == "list":
        return "".join("\t%s=%d" % (each.path.rsplit("/", 1)[-1], each.length) for each in client.list_status(path))
    with open(local, "rb") as here:
        content = here.read()
    if operation == "write":
        target = client.create(path)
    elif operation == "append":
        target = client.append(path)
    else:
        raise ValueError("operation=" + operation)
    target.write(content)
    target.close()
    return ""


def main():
    client = Client(config_dir=sys.argv[1])
    for line in sys.stdin:
        operation, path, local = line.rstrip("\n").split("\t")
        try:
            answer = "::ok" + run(client, operation, path, local)
        except BaseException as failure:  # Panics of Rust are no Exception.
            answer = "::refused\t%s: %s" % (type(failure).__name__, " ".join(str(failure).split()))
        print(answer, flush=True)


main()
