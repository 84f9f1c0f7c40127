/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

/**
 * Ports of the first NameNode; 0: any free one. Immutable.
 *
 * @param nameNode of its RPC
 * @param http of its web pages
 */
public record FixedPorts(int nameNode, int http) {
  /** Any free ports. */
  public static final FixedPorts ANY = new FixedPorts(0, 0);

  /** Whether a port is asked for. */
  boolean isAnyFixed() {
    return nameNode != 0 || http != 0;
  }
}
