/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The features that clients of this process have. They are looked for once: {@code FileContext}
 * makes a client for each call outside its default file system. Immutable, thread-safe.
 */
public final class ClientFeatures implements GroupReaderChoice {
  private static final Logger LOG = LoggerFactory.getLogger(ClientFeatures.class);

  /** Null until the class path was searched without an error. Guarded by the class. */
  private static @Nullable ClientFeatures installed;

  private final List<ClientFeature> features;
  private final List<String> abilities;

  private ClientFeatures(List<ClientFeature> features) {
    // In the same order on every host, whatever that of the class path is.
    this.features = features.stream().sorted(Comparator.comparing(ClientFeature::name)).toList();
    this.abilities = this.features.stream().flatMap(each -> each.ability().stream()).toList();
  }

  /** These features, and no others. */
  public static ClientFeatures of(List<ClientFeature> features) {
    return new ClientFeatures(features);
  }

  /**
   * The features whose jars are in the class path of Hadoop's own classes; none if there is none.
   *
   * @throws IOException if a feature's jar is there and cannot be used
   */
  public static synchronized ClientFeatures installed() throws IOException {
    if (installed == null) {
      installed = load(ClientFeatures.class.getClassLoader());
      LOG.debug("Features of this client: {}", installed);
    }
    return installed;
  }

  /** As {@link #installed}, as a class loader sees them. */
  static ClientFeatures load(ClassLoader loader) throws IOException {
    try {
      return of(
          ServiceLoader.load(ClientFeature.class, loader).stream()
              .<ClientFeature>map(ServiceLoader.Provider::get)
              .toList());
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IOException(
          ErrorMessage.to("use the features of this client")
              .value("failure", e)
              .expected("all jars of the suite in one version, on the class path of Hadoop")
              .message(),
          e);
    }
  }

  /** What clients state of themselves where they ask for locations. */
  public List<String> abilities() {
    return abilities;
  }

  /** The reader of the first feature, by name, that claims the files of a policy. */
  @Override
  public Optional<GroupReader> readerFor(ErasureCodingPolicy policy) throws IOException {
    for (ClientFeature feature : features) {
      Optional<GroupReader> reader = feature.readerFor(policy);
      if (reader.isPresent()) {
        return reader;
      }
    }
    return Optional.empty();
  }

  /** How a client reads ordered files: as the first feature, by name, that knows of such. */
  public Optional<OrderedFileReader> orderedFiles(DFSClient client) {
    return features.stream().flatMap(each -> each.orderedFiles(client).stream()).findFirst();
  }

  /** How a client reads lost blocks: as the first feature, by name, that computes any. */
  public Optional<LostBlockReader> lostBlocks(URI nameNode, Configuration conf) {
    return features.stream().flatMap(each -> each.lostBlocks(nameNode, conf).stream()).findFirst();
  }

  @Override
  public String toString() {
    return features.stream().map(ClientFeature::name).toList().toString();
  }
}
