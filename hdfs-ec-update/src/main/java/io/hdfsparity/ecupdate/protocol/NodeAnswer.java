/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Set;

/**
 * What a NameNode answers to a {@link NodeReport}. Immutable.
 *
 * @param active whether this NameNode says which sessions are live; a standby does not
 * @param transactionId of its log: of two that say that they are active, the higher one is
 * @param sessions that are live
 * @param validMs how long the DataNode may go by the answer, from when it sent the report
 * @param reportEveryMs how often it should report
 * @param replaced block groups of whose units no request is to be executed, of whatever session:
 *     they are being healed, or were while sessions knew their units
 */
public record NodeAnswer(
    boolean active,
    long transactionId,
    SessionList sessions,
    long validMs,
    long reportEveryMs,
    Set<Long> replaced) {
  public NodeAnswer {
    replaced = Set.copyOf(replaced);
  }
}
