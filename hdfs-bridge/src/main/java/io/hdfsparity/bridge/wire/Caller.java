/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

/** Who may call a method of one of the suite's servers. What each means: {@link CallerRules}. */
public enum Caller {
  /**
   * DataNodes, and the daemons beside them. The method itself ties what is reported to the node
   * that is registered at the caller's address ({@link RegisteredNodes}).
   */
  DATANODES("the DataNodes' user"),

  /** NameNodes and DataNodes. */
  DAEMONS("a user of the cluster's daemons"),

  /** HDFS superusers. */
  SUPERUSERS("a superuser"),

  /** HDFS superusers, and users and groups of {@code dfs.cluster.administrators}. */
  ADMINISTRATORS("a superuser or an administrator (dfs.cluster.administrators)"),

  /**
   * Whoever the server authenticates. The method itself decides by the permissions and the owner of
   * the file or the session that is named.
   */
  USERS("any user");

  private final String words;

  Caller(String words) {
    this.words = words;
  }

  /** In words, for messages and documents. */
  public String words() {
    return words;
  }
}
