# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
"""A program that uses HDFS by Spark. Lines as ClientProgram.java describes them.

Arguments: the folder of the site files, and more entries of the class path with the suite's jar, or "".
Files are read twice: as a whole, and line by line in splits. They are written as lines: all end with one.
"""
import os
import sys

from pyspark.sql import SparkSession

SPLIT_BYTES = 200_000


def session(site, jars):
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.extraClassPath", os.pathsep.join([site] + ([jars] if jars else [])))
        .config("spark.sql.files.maxPartitionBytes", str(SPLIT_BYTES))
        .config("spark.sql.files.openCostInBytes", "0")
        .config("spark.sql.files.minPartitionNum", "1")
        .config("spark.sql.binaryFile.maxLength", str(1 << 30))
        .config("spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
    )
    if jars:
        builder = builder.config("spark.hadoop.fs.hdfs.impl", "io.hdfsparity.ParityFileSystem")
        builder = builder.config("spark.hadoop.fs.AbstractFileSystem.hdfs.impl", "io.hdfsparity.ParityFs")
    return builder.getOrCreate()


def lines(spark, path):
    """All bytes, by tasks that read a split each."""
    rows = spark.read.option("lineSep", "\n").text(path).selectExpr("cast(value as binary) as line").collect()
    return b"\n".join(bytes(row.line) for row in rows)


def read(spark, path, local):
    content = bytes(spark.read.format("binaryFile").load(path).select("content").first().content)
    split = lines(spark, path)
    if split != content and split + b"\n" != content:
        content = split  # Whoever compares shall see it.
    with open(local, "wb") as here:
        here.write(content)
    return ""


def write(spark, path, local):
    with open(local, "rb") as here:
        content = here.read()
    if not content.endswith(b"\n"):
        raise ValueError("expected lines")
    rows = [(bytearray(line),) for line in content.split(b"\n")[:-1]]
    folder = path + "-spark"
    frame = spark.createDataFrame(rows, "line binary").coalesce(1).selectExpr("cast(line as string) as line")
    frame.write.option("lineSep", "\n").mode("errorifexists").text(folder)
    jvm = spark.sparkContext._jvm
    fs = jvm.org.apache.hadoop.fs.FileSystem.get(spark.sparkContext._jsc.hadoopConfiguration())
    hdfs_path = jvm.org.apache.hadoop.fs.Path
    parts = fs.globStatus(hdfs_path(folder + "/part-*"))
    if len(parts) != 1 or not fs.rename(parts[0].getPath(), hdfs_path(path)):
        raise IOError("expected one part: %d" % len(parts))
    fs.delete(hdfs_path(folder), True)
    return ""


def listed(spark, path):
    rows = spark.read.format("binaryFile").load(path).select("path", "length").collect()
    return "".join("\t%s=%d" % (row.path.rsplit("/", 1)[-1], row.length) for row in rows)


def message(failure):
    java = getattr(failure, "java_exception", None) or getattr(failure, "_origin", None)
    text = "%s: %s" % (type(failure).__name__, failure)
    while java is not None:
        text += "; caused by " + str(java.toString())
        java = java.getCause()
    return " ".join(text.split())


def main():
    spark = session(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        operation, path, local = line.rstrip("\n").split("\t")
        try:
            if operation == "read":
                answer = read(spark, path, local)
            elif operation == "write":
                answer = write(spark, path, local)
            elif operation == "list":
                answer = listed(spark, path)
            else:
                raise ValueError("operation=" + operation)
            answer = "::ok" + answer
        except Exception as failure:
            answer = "::refused\t" + message(failure)
        print(answer, flush=True)


main()
