/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the {@code /jmx} page of a Hadoop daemon. Thread-safe. */
final class Jmx {
  private static final int CONNECT_TIMEOUT_MS = 2_000;
  private static final int READ_TIMEOUT_MS = 10_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Jmx() {}

  /**
   * The beans whose name matches, in no order.
   *
   * @param address host and port
   * @param query a JMX object name pattern
   * @throws IOException when the daemon does not answer
   */
  static List<JsonNode> beans(String address, String query) throws IOException {
    URI uri =
        URI.create(
            "http://" + address + "/jmx?qry=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
    connection.setReadTimeout(READ_TIMEOUT_MS);
    try (InputStream in = connection.getInputStream()) {
      List<JsonNode> beans = new ArrayList<>();
      JSON.readTree(in).path("beans").forEach(beans::add);
      return beans;
    } finally {
      connection.disconnect();
    }
  }

  /** Parses a JSON text that is the value of an attribute. */
  static JsonNode parse(String json) throws IOException {
    return JSON.readTree(json);
  }
}
