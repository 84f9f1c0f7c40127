/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The REST interface of WebHDFS, which HttpFS has too, by curl. */
final class WebClient implements Client {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What whoever asks for the length knows of an answer that ends before the file does. */
  static final String CUT = "HTTP 200, and not all bytes of the file";

  private static final int CURL_COULD_NOT_CONNECT = 7;
  private static final int REPEATS = 20;

  private final String title;
  private final String server;
  private final Path scratch;

  /**
   * @param server address of a NameNode's web server, or of HttpFS
   * @param scratch folder for what curl says
   */
  WebClient(String title, String server, Path scratch) {
    this.title = title;
    this.server = server;
    this.scratch = scratch;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public boolean takesOurJar() {
    return false;
  }

  /** What curl has ended with: its exit code, the code of HTTP, and where the server points to. */
  private record Reply(int exit, int status, String location, Path body, String complaint) {
    boolean isGood(int expected) {
      return exit == 0 && status == expected;
    }

    Answer refused() throws IOException {
      if (status >= 400 && Files.exists(body)) {
        JsonNode failure = JSON.readTree(Files.readAllBytes(body)).path("RemoteException");
        return Answer.refused(
            failure.path("exception").asText() + ": " + failure.path("message").asText());
      }
      return Answer.refused("HTTP " + status + ", " + complaint);
    }
  }

  private Reply curl(Path body, String... options) throws IOException, InterruptedException {
    Path complaints = scratch.resolve("curl.err");
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "-o", body.toString()));
    // DataNodes are named as the cluster of a test likes; all are of this machine.
    command.addAll(List.of("--connect-to", "::127.0.0.1:", "-w", "%{http_code} %{redirect_url}"));
    command.addAll(List.of(options));
    Files.deleteIfExists(body);
    Process process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
    process.getOutputStream().close();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    String[] words = told.split(" ", 2);
    return new Reply(
        exit, Integer.parseInt(words[0]), words[1].strip(), body, Files.readString(complaints));
  }

  private String url(String path, String operation) {
    return "http://"
        + server
        + "/webhdfs/v1"
        + path
        + "?user.name="
        + System.getProperty("user.name")
        + "&op="
        + operation;
  }

  @Override
  public Answer run(Operation operation, String path, Path local)
      throws IOException, InterruptedException {
    Path body = scratch.resolve("curl.body");
    return switch (operation) {
      case READ -> {
        Reply reply = connected(() -> curl(local, "-L", url(path, "OPEN")));
        if (!reply.isGood(200)) {
          yield reply.refused();
        }
        // HttpFS says so before it reads; who asks for the length knows better.
        yield Files.size(local) < length(path) ? Answer.refused(CUT) : Answer.done(Map.of());
      }
      case LIST -> {
        Reply reply = curl(body, url(path, "LISTSTATUS"));
        yield reply.isGood(200) ? Answer.done(listed(body)) : reply.refused();
      }
      case WRITE -> send(body, "PUT", url(path, "CREATE&overwrite=false"), local, 201);
      case APPEND -> send(body, "POST", url(path, "APPEND"), local, 200);
    };
  }

  private long length(String path) throws IOException, InterruptedException {
    Path body = scratch.resolve("curl.status");
    curl(body, url(path, "GETFILESTATUS"));
    return JSON.readTree(Files.readAllBytes(body)).path("FileStatus").path("length").asLong();
  }

  private Answer send(Path body, String method, String url, Path local, int expected)
      throws IOException, InterruptedException {
    // HttpFS takes no other type.
    String type = "Content-Type: application/octet-stream";
    Reply reply =
        connected(
            () -> {
              Reply pointed = curl(body, "-X", method, url);
              return pointed.isGood(307)
                  ? curl(body, "-X", method, "-H", type, "-T", local.toString(), pointed.location())
                  : pointed;
            });
    return reply.isGood(expected) ? Answer.done(Map.of()) : reply.refused();
  }

  private interface Request {
    Reply send() throws IOException, InterruptedException;
  }

  /**
   * Repeats a request that a NameNode has pointed to a DataNode where nobody answers: until it
   * counts that one as dead, it may choose it.
   */
  private static Reply connected(Request request) throws IOException, InterruptedException {
    Reply reply = request.send();
    for (int i = 0; i < REPEATS && reply.exit() == CURL_COULD_NOT_CONNECT; i++) {
      reply = request.send();
    }
    return reply;
  }

  private static Map<String, Long> listed(Path body) throws IOException {
    Map<String, Long> listed = new TreeMap<>();
    for (JsonNode each :
        JSON.readTree(Files.readAllBytes(body)).path("FileStatuses").path("FileStatus")) {
      listed.put(each.path("pathSuffix").asText(), each.path("length").asLong());
    }
    return listed;
  }

  @Override
  public void close() {}
}
