/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * A Java program that uses HDFS, in a process with no class of the suite but this one: it must
 * compile and run with every release of Hadoop's client that is tested.
 *
 * <pre>
 * arguments: api | shell
 * a line in:  operation TAB path TAB local file
 * a line out: "::ok", or "::ok TAB name=length TAB ..." of a list, or "::refused TAB message"
 * </pre>
 *
 * Lines that do not begin with "::" are of libraries. {@code core-site.xml} is on the class path.
 */
final class ClientProgram {
  private ClientProgram() {}

  /** One operation; what it returns follows "ok". */
  @FunctionalInterface
  interface Operations {
    String run(String operation, String path, String local) throws Exception;
  }

  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    Operations operations;
    if (args[0].equals("shell")) {
      operations = (operation, path, local) -> shell(conf, operation, path, local);
    } else {
      FileSystem fs = FileSystem.get(FileSystem.getDefaultUri(conf), conf);
      operations = (operation, path, local) -> api(fs, operation, path, local);
    }
    serve(operations);
  }

  /** Answers lines until there are no more. */
  static void serve(Operations operations) throws IOException {
    PrintStream answers = System.out;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split("\t", -1);
      String answer;
      try {
        answer = "::ok" + operations.run(words[0], words[1], words[2]);
      } catch (Exception | LinkageError e) {
        answer = "::refused\t" + describe(e);
      }
      answers.println(answer);
      answers.flush();
    }
  }

  /** All causes in a line. */
  static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      text.append(text.length() == 0 ? "" : "; caused by ").append(each);
    }
    return text.toString().replaceAll("\\s+", " ");
  }

  static String api(FileSystem fs, String operation, String path, String local) throws IOException {
    Path file = new Path(path);
    java.nio.file.Path here = java.nio.file.Path.of(local);
    switch (operation) {
      case "read" -> {
        try (FSDataInputStream in = fs.open(file)) {
          Files.copy((InputStream) in, here, StandardCopyOption.REPLACE_EXISTING);
        }
        return "";
      }
      case "write" -> {
        send(fs.create(file, /* overwrite= */ false), here);
        return "";
      }
      case "append" -> {
        FSDataOutputStreamBuilder<?, ?> more = fs.appendFile(file);
        if (more instanceof DistributedFileSystem.HdfsDataOutputStreamBuilder hdfs) {
          // Without it HDFS refuses every file that is striped.
          hdfs.newBlock();
        }
        send(more.build(), here);
        return "";
      }
      case "list" -> {
        StringBuilder names = new StringBuilder();
        // With block locations, as jobs list their input.
        RemoteIterator<LocatedFileStatus> all = fs.listLocatedStatus(file);
        while (all.hasNext()) {
          FileStatus each = all.next();
          names.append("\t" + each.getPath().getName() + "=" + each.getLen());
        }
        return names.toString();
      }
      default -> throw new IllegalArgumentException("operation=" + operation);
    }
  }

  /**
   * DFSOutputStream throws the same exception from write and from close, which try-with-resources
   * cannot suppress in itself.
   */
  private static void send(OutputStream out, java.nio.file.Path here) throws IOException {
    try {
      Files.copy(here, out);
    } catch (IOException e) {
      try {
        out.close();
      } catch (IOException ignoredAsItFollows) {
        // What the write has said is why.
      }
      throw e;
    }
    out.close();
  }

  private static String shell(Configuration conf, String operation, String path, String local)
      throws Exception {
    return switch (operation) {
      case "read" -> {
        run(conf, "-get", "-f", path, local);
        yield "";
      }
      case "write" -> {
        run(conf, "-put", local, path);
        yield "";
      }
      case "append" -> {
        run(conf, "-appendToFile", "-n", local, path);
        yield "";
      }
      case "list" -> {
        List<String> names = new ArrayList<>();
        for (String line : run(conf, "-ls", path).split("\n")) {
          String[] columns = line.trim().split(" +");
          if (columns.length == 8) {
            names.add(
                "\t" + URI.create(columns[7]).getPath().replaceAll(".*/", "") + "=" + columns[4]);
          }
        }
        yield String.join("", names);
      }
      default -> throw new IllegalArgumentException("operation=" + operation);
    };
  }

  private static String run(Configuration conf, String... args) throws Exception {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    int exit;
    try {
      System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
      exit = ToolRunner.run(conf, new FsShell(), args);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    if (exit != 0) {
      throw new IOException("exit " + exit + ": " + complained.toString(StandardCharsets.UTF_8));
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
