/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells of daemons that run although a feature in them could not be started: whoever waits for that
 * feature would wait in vain. Asks at most once a second. Not thread-safe.
 */
final class FeatureFailures {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
  private static final String BEAN = "Hadoop:service=*,name=ParityFeatures*";
  private static final String FLAG = "FailedClosed";

  private final PortMap ports;
  private final List<Daemon> daemons;
  private long lastNanos = System.nanoTime();

  FeatureFailures(PortMap ports, List<Daemon> daemons) {
    this.ports = ports;
    this.daemons = List.copyOf(daemons);
  }

  /**
   * Asks the daemons, unless it has just done so. One that does not answer yet is not failed.
   *
   * @throws PortBusyException when a feature could not be started because a port was taken
   * @throws IOException when one could not be started for another reason
   */
  void check() throws IOException {
    long now = System.nanoTime();
    if (now - lastNanos < INTERVAL_NANOS) {
      return;
    }
    lastNanos = now;
    for (Daemon daemon : daemons) {
      if (daemon.role().isNameNode() || daemon.role() == DaemonRole.DATANODE) {
        check(daemon);
      }
    }
  }

  private void check(Daemon daemon) throws IOException {
    List<JsonNode> beans;
    try {
      beans = Jmx.beans(ports.address(daemon, Purpose.HTTP), BEAN);
    } catch (IOException notYet) {
      return;
    }
    List<String> failed = new ArrayList<>();
    for (JsonNode bean : beans) {
      bean.fields()
          .forEachRemaining(field -> reason(bean, field).ifPresent(why -> failed.add(why)));
    }
    if (failed.isEmpty()) {
      return;
    }
    String message = daemon.name() + " has failed features: " + String.join("; ", failed);
    if (message.contains("java.net.BindException")) {
      throw new PortBusyException(message);
    }
    throw new IOException(message);
  }

  private static Optional<String> reason(JsonNode bean, Map.Entry<String, JsonNode> field) {
    String name = field.getKey();
    if (!name.endsWith(FLAG) || field.getValue().asInt() == 0) {
      return Optional.empty();
    }
    String part = name.substring(0, name.length() - FLAG.length());
    return Optional.of(part + " " + bean.path("tag." + part + "State").asText());
  }
}
