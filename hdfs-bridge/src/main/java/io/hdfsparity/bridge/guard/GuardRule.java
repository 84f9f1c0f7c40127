/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

/** Why a call is not answered as Hadoop would, and the name of its counter. */
public enum GuardRule {
  /** create, append or addBlock by a client that does not compute the file's codec. */
  CODEC("CodecRefusals", "Writes by clients that do not compute the codec"),
  /** create, append or addBlock of an erasure-coded file by a client that writes replicas only. */
  REPLICAS_ONLY(
      "ReplicasOnlyRefusals", "Writes to erasure-coded files by clients that write replicas only"),
  /** Locations of a file in stored order, for a client that knows no orders. */
  ORDER_READ("OrderReadRefusals", "Reads of files in stored order by clients that know no orders"),
  /** append, truncate or concat with a file in stored order. */
  ORDER_CHANGE("OrderChangeRefusals", "Changes of length of files in stored order"),
  /** Entries of listings of files in stored order that were given without DataNodes. */
  LISTING("ListingEntriesStripped", "Files in stored order listed without their DataNodes"),
  /** A policy that was not enabled or set. */
  POLICY("PolicyRefusals", "Erasure coding policies that were not enabled or set"),
  /** A lease holder's name, or an attribute, that the caller may not use. */
  RESERVED("ReservedNameRefusals", "Uses of names that are the NameNode's or superusers'");

  private final String counter;
  private final String meaning;

  GuardRule(String counter, String meaning) {
    this.counter = counter;
    this.meaning = meaning;
  }

  /** Name of the metric. */
  public String counter() {
    return counter;
  }

  /** What the metric counts. */
  public String meaning() {
    return meaning;
  }
}
