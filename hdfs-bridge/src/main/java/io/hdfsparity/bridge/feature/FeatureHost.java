/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.status.HadoopLine;
import io.hdfsparity.bridge.wire.DaemonServer;
import io.hdfsparity.bridge.wire.ServedProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.Service;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The features of one daemon, from its start to its end: chooses them ({@link FeatureSelection}),
 * takes them through the steps of {@link Feature}, serves their protocols at one port, and shows in
 * a metric how they are. One that fails takes no other down.
 *
 * <p>Thread-safety: start and stop by one thread after the other; {@link #features}, {@link
 * #report} and {@link #address} by any.
 *
 * @param <D> the daemon
 * @param <F> its features
 */
public final class FeatureHost<D, F extends Feature<D>> {
  private static final Logger LOG = LoggerFactory.getLogger(FeatureHost.class);

  private final Class<F> type;
  private final List<F> found;
  private final Set<String> names;
  private volatile List<FeatureSlot<D>> slots = List.of();

  /** Of these slots, those that are not off, which never changes. */
  private volatile List<Feature<D>> features = List.of();

  private @Nullable FeatureMetrics metrics;
  private volatile @Nullable DaemonServer server;

  /** How the daemon's server listens; read when there is something to serve. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Reads it.
     *
     * @throws IllegalArgumentException when a key cannot be used
     */
    DaemonServer.Listening read(Configuration conf);
  }

  FeatureHost(Class<F> type, List<F> found, Set<String> names) {
    this.type = type;
    // In the same order on every host, whatever that of the class path is.
    this.found = found.stream().sorted(Comparator.comparing(Feature::part)).toList();
    this.names = Set.copyOf(names);
  }

  /**
   * With the features on the class path.
   *
   * @throws java.util.ServiceConfigurationError when one cannot be loaded; the daemon does not
   *     start then, for nobody would keep that feature's files safe
   * @throws IllegalStateException when the suite was built for another line of Hadoop; the daemon
   *     does not start then either
   */
  public static <D, F extends Feature<D>> FeatureHost<D, F> ofClassPath(Class<F> type) {
    HadoopLine.current().require();
    ClassLoader loader = FeatureHost.class.getClassLoader();
    Set<String> names = new TreeSet<>();
    Stream.of(NameNodeFeature.class, DataNodeFeature.class)
        .flatMap(each -> ServiceLoader.load(each, loader).stream())
        .forEach(each -> names.add(each.get().name()));
    List<F> found = ServiceLoader.load(type, loader).stream().map(each -> each.get()).toList();
    return new FeatureHost<>(type, found, names);
  }

  /**
   * Starts all that are to be started.
   *
   * @param label empty, or what tells daemons of one JVM apart
   * @param own served whatever becomes of the features
   * @throws IllegalArgumentException when {@code dfs.parity.features}, or another key that is no
   *     feature's, cannot be used: then all features fail closed
   */
  public void start(
      D daemon, Configuration conf, String label, List<ServedProtocol> own, Listener listener) {
    FeatureMetrics shown = FeatureMetrics.register(label);
    metrics = shown;
    FeatureSelection<F> selection;
    try {
      SuiteKey.reader(conf);
      selection = FeatureSelection.of(conf, type, found, names);
    } catch (RuntimeException | LinkageError e) {
      take(
          FeatureSelection.meant(conf, found).stream()
              .<FeatureSlot<D>>map(FeatureSlot::of)
              .toList());
      shown.show(slots);
      slots.forEach(slot -> slot.protect(daemon));
      slots.forEach(slot -> failUnlessFailed(slot, e));
      serve(conf, own, listener);
      throw e;
    }
    List<FeatureSlot<D>> made = new ArrayList<>();
    selection.chosen().forEach(each -> made.add(FeatureSlot.of(each)));
    selection.lacking().forEach((each, why) -> made.add(FeatureSlot.off(each, why)));
    take(made);
    shown.show(slots);
    slots.forEach(slot -> slot.protect(daemon));
    slots.forEach(slot -> slot.run(() -> requireSettings(slot.feature(), conf)));
    slots.forEach(slot -> slot.start(daemon, conf));
    serve(conf, own, listener);
    DaemonServer listening = server;
    slots.forEach(slot -> slot.ready(listening == null ? null : listening.address()));
    slots.forEach(slot -> LOG.info("Feature {}: {}", slot.feature().part(), slot.description()));
  }

  private void take(List<FeatureSlot<D>> all) {
    features =
        all.stream().filter(slot -> !slot.isOff()).<Feature<D>>map(FeatureSlot::feature).toList();
    slots = List.copyOf(all);
  }

  private static void failUnlessFailed(FeatureSlot<?> slot, Throwable cause) {
    if (!slot.isFailed()) {
      slot.fail(cause);
    }
  }

  /** A listed feature without its settings fails. */
  private static void requireSettings(Feature<?> feature, Configuration conf) {
    feature
        .lacks(conf)
        .ifPresent(
            setting -> {
              throw new IllegalArgumentException(
                  "Cannot start a feature: feature="
                      + feature.part()
                      + ", expected "
                      + setting
                      + "; set it, or take the feature off "
                      + SuiteKey.FEATURES.key());
            });
  }

  private void serve(Configuration conf, List<ServedProtocol> own, Listener listener) {
    List<ServedProtocol> served =
        Stream.concat(own.stream(), slots.stream().flatMap(slot -> slot.served().stream()))
            .toList();
    if (served.isEmpty()) {
      return;
    }
    // Also those that are not served: the caller learns that, and not that it lacks permission.
    List<Service> known =
        Stream.concat(
                own.stream().map(ServedProtocol::id),
                slots.stream().flatMap(slot -> slot.feature().protocols().stream()))
            .distinct()
            .toList();
    Configuration copy = new Configuration(conf);
    try {
      DaemonServer started = DaemonServer.start(copy, listener.read(copy), served, known);
      server = started;
      LOG.info("The server of all features listens at {}", started.address());
    } catch (IOException | RuntimeException e) {
      LOG.error("The suite's server does not listen", e);
      slots.stream()
          .filter(slot -> !slot.isFailed() && !slot.served().isEmpty())
          .forEach(slot -> slot.fail(e));
    }
  }

  /** Those that are to be in service, whether they are or not. */
  public List<Feature<D>> features() {
    return features;
  }

  /** How all of them are, those that are off among them. */
  public List<FeatureStatus> report() {
    return slots.stream().map(FeatureSlot::report).toList();
  }

  /** What features in service show of themselves, in the order of their parts. */
  public List<PageSection> pages() {
    return slots.stream().flatMap(slot -> slot.page().stream()).toList();
  }

  /** Ports of the suite's servers in DataNodes that have reported to a feature, by UUID. */
  public Map<String, Integer> nodePorts() {
    Map<String, Integer> ports = new HashMap<>();
    slots.stream()
        .filter(FeatureSlot::isInService)
        .forEach(slot -> ports.putAll(slot.feature().nodePorts()));
    return ports;
  }

  /** Ends all, last started first; features stay closed as they end. */
  public void stop() {
    DaemonServer listening = server;
    if (listening != null) {
      listening.close();
      server = null;
    }
    List<FeatureSlot<D>> all = new ArrayList<>(slots);
    Collections.reverse(all);
    all.forEach(FeatureSlot::stop);
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }
}
