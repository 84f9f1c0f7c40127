/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a file has besides its bytes and their form. Immutable.
 *
 * @param owner user
 * @param group group
 * @param mode permission bits, with the sticky bit
 * @param acl entries as text; empty: none
 * @param xattrs all of them, of every namespace: name with namespace to value as text
 * @param storagePolicyId set on the file itself; 0: none
 * @param modifiedMs time of modification
 */
public record FileAttributes(
    String owner,
    String group,
    int mode,
    String acl,
    Map<String, String> xattrs,
    int storagePolicyId,
    long modifiedMs) {
  public FileAttributes {
    xattrs = Map.copyOf(xattrs);
  }

  /**
   * The name of an extended attribute in {@link #xattrs}, where its namespace is in capitals.
   *
   * @param attribute as clients name it, {@code user.name}
   */
  public static String keyOf(String attribute) {
    int dot = attribute.indexOf('.');
    return attribute.substring(0, dot).toUpperCase(Locale.ROOT) + attribute.substring(dot);
  }

  /** Names of the attributes that differ; without their values, which may be secret. */
  public List<String> differences(FileAttributes other) {
    List<String> names = new ArrayList<>();
    add(names, "owner", owner, other.owner);
    add(names, "group", group, other.group);
    add(names, "mode", mode, other.mode);
    add(names, "acl", acl, other.acl);
    add(names, "storage policy", storagePolicyId, other.storagePolicyId);
    add(names, "modification time", modifiedMs, other.modifiedMs);
    Map<String, String> all = new TreeMap<>(xattrs);
    all.putAll(other.xattrs);
    for (String name : all.keySet()) {
      add(names, "xattr " + name, xattrs.get(name), other.xattrs.get(name));
    }
    return names;
  }

  private static void add(List<String> names, String name, Object mine, Object theirs) {
    if (!Objects.equals(mine, theirs)) {
      names.add(name);
    }
  }
}
