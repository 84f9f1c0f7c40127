/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.status.FeatureState;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.wire.CallGate;
import io.hdfsparity.bridge.wire.ServedProtocol;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feature in a daemon, and its state: {@code OFF} for good, or {@code STARTING → IN_SERVICE →
 * STOPPED}, and from the first two {@code FAILED → STOPPED}. Only in service are its calls served.
 * Changed by one thread; the state is read by any.
 */
final class FeatureSlot<D> implements CallGate {
  private static final Logger LOG = LoggerFactory.getLogger(FeatureSlot.class);

  /** What is known of it at a time; the reason may be empty. */
  private record Status(FeatureState state, String reason) {}

  /** A step of the feature's life. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  private final Feature<D> feature;
  private final List<ServedProtocol> served = new ArrayList<>();
  private volatile Status status;
  private volatile @Nullable InetSocketAddress address;

  private FeatureSlot(Feature<D> feature, Status status) {
    this.feature = feature;
    this.status = status;
  }

  /** Of a feature that will be started. */
  static <D> FeatureSlot<D> of(Feature<D> feature) {
    return new FeatureSlot<>(feature, new Status(FeatureState.STARTING, ""));
  }

  /** Of a feature that will not. */
  static <D> FeatureSlot<D> off(Feature<D> feature, String reason) {
    return new FeatureSlot<>(feature, new Status(FeatureState.OFF, reason));
  }

  Feature<D> feature() {
    return feature;
  }

  /** What the server is to serve of it; when it has failed, what it still answers. */
  List<ServedProtocol> served() {
    if (!isFailed()) {
      return List.copyOf(served);
    }
    try {
      return feature.servedWhenFailed();
    } catch (RuntimeException | Error e) {
      LOG.error("Feature {}, which has failed, cannot even refuse calls", feature.part(), e);
      return List.of();
    }
  }

  boolean isInService() {
    return status.state() == FeatureState.IN_SERVICE;
  }

  boolean isFailed() {
    return status.state() == FeatureState.FAILED;
  }

  boolean isOff() {
    return status.state() == FeatureState.OFF;
  }

  /** The state, and the reason where there is one. */
  String description() {
    Status now = status;
    String why = reason(now);
    return why.isEmpty() ? now.state().words() : now.state().words() + ": " + why;
  }

  private String reason(Status now) {
    return now.state() == FeatureState.IN_SERVICE ? feature.trouble().orElse("") : now.reason();
  }

  /** For administrators; a feature that cannot say how it is does not hide the others. */
  FeatureStatus report() {
    Status now = status;
    Map<String, String> figures = Map.of();
    String why;
    try {
      why = reason(now);
      if (now.state() == FeatureState.IN_SERVICE) {
        figures = feature.figures();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Feature {} cannot say how it is", feature.part(), e);
      why = "cannot say how it is: " + e.getMessage();
    }
    return new FeatureStatus(feature.name(), feature.part(), now.state(), why, figures);
  }

  /** For people; a feature that cannot say how it is does not hide the others. */
  List<PageSection> page() {
    if (!isInService()) {
      return List.of();
    }
    try {
      return feature.page();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Feature {} cannot show how it is", feature.part(), e);
      return List.of(
          PageSection.note(
              feature.name(),
              feature.part(),
              "It cannot say how it is now; the log of the NameNode says why."));
    }
  }

  /** Takes a step unless an earlier one has failed. */
  void run(Step step) {
    if (status.state() != FeatureState.STARTING) {
      return;
    }
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /** The step that keeps its files safe, whether or not it is switched on. */
  void protect(D daemon) {
    if (!isOff()) {
      run(() -> feature.protect(daemon));
      return;
    }
    try {
      feature.protectWhenOff(daemon);
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("Feature {}, which is off, cannot look after its files", feature.part(), e);
    }
  }

  /** The step that starts it. */
  void start(D daemon, Configuration conf) {
    run(() -> feature.start(new Context(daemon, new Configuration(conf))));
  }

  /**
   * The step that puts it in service.
   *
   * @param listening where the server listens; null: there is none
   */
  void ready(@Nullable InetSocketAddress listening) {
    if (isFailed()) {
      if (listening != null) {
        answerWhenFailed();
      }
      return;
    }
    address = served.isEmpty() ? null : listening;
    run(feature::ready);
    if (status.state() == FeatureState.STARTING) {
      status = new Status(FeatureState.IN_SERVICE, "");
    }
  }

  private void answerWhenFailed() {
    try {
      feature.answersWhenFailed();
    } catch (RuntimeException | Error e) {
      LOG.error("Feature {}, which has failed, cannot look after other files", feature.part(), e);
    }
  }

  /** It fails closed. */
  void fail(Throwable cause) {
    status = new Status(FeatureState.FAILED, String.valueOf(cause.getMessage()));
    LOG.error(
        "Feature {} fails closed: it refuses its work, the daemon keeps running",
        feature.part(),
        cause);
    try {
      feature.failed(cause);
    } catch (RuntimeException | Error e) {
      LOG.error("Feature {} cannot end what it had started", feature.part(), e);
    }
  }

  void stop() {
    if (!isOff()) {
      status = new Status(FeatureState.STOPPED, "");
    }
    try {
      feature.stop();
    } catch (RuntimeException | Error e) {
      LOG.warn("Feature {} has not stopped in good order", feature.part(), e);
    }
  }

  /** To the caller it is as if nothing listened: he turns to another daemon, or tries again. */
  @Override
  public void requireOpen() throws ConnectException {
    if (!isInService()) {
      throw new ConnectException(
          "Cannot serve a call: feature="
              + feature.part()
              + ", state="
              + description()
              + ", expected in service");
    }
  }

  private final class Context implements FeatureContext<D> {
    private final D daemon;
    private final Configuration conf;

    Context(D daemon, Configuration conf) {
      this.daemon = daemon;
      this.conf = conf;
    }

    @Override
    public D daemon() {
      return daemon;
    }

    @Override
    public Configuration conf() {
      return conf;
    }

    @Override
    public void serve(ServedProtocol protocol) {
      if (!feature.protocols().contains(protocol.id())) {
        throw new IllegalArgumentException(
            "Cannot serve a protocol: protocol="
                + protocol.id().getProtocol().getName()
                + ", expected one of those that feature "
                + feature.part()
                + " names");
      }
      served.add(protocol.behind(FeatureSlot.this));
    }

    @Override
    public InetSocketAddress address() {
      InetSocketAddress now = address;
      if (now == null) {
        throw new IllegalStateException("Cannot tell the server's address: listening=false");
      }
      return now;
    }
  }
}
