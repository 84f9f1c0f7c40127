/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import java.io.IOException;
import java.util.SplittableRandom;

/** A client that draws what it does by the seed of the run and its own name. For one thread. */
abstract class RandomClient implements Workload.Client {
  final SplittableRandom random;
  private final String name;

  RandomClient(Site site, String name) {
    this.name = name;
    this.random = site.schedule().random(name);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public void close() throws IOException {}
}
