/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The life of a slot table row: decides what a row becomes, and refuses what may not be. Pure; the
 * {@link Lstor} commits what was decided.
 *
 * <pre>
 *                  GROWN                    DELETED, LOST,          CLEARED_BY_BOTH
 *                                     UNPROTECTED
 *   RESERVED ---------------&gt; LIVE ----------------------&gt; LIMBO ------------------&gt; LIMBO
 *    ^ |  ^                  ^ |  ^                        | ^ |  &lt;------------------  cleared
 *    | |  |                  | |  +-------RESTORED---------+ | |   WANTED_BY_FOLLOWER    |
 *    | |  +------REUSED------|-+-----------------------------|-+                         |
 *    | +--DELETED, LOST, UNUSED, HELD_FOR_FOLLOWER-----------+                           |
 *    |                                                                          RELEASED |
 *   RESERVED                                                                             v
 *   (absent)                                                                         (absent)
 * </pre>
 *
 * <table>
 * <caption>Causes, the state before, what is covered before, and what the row becomes</caption>
 * <tr><th>cause</th><th>from</th><th>covered</th><th>to</th></tr>
 * <tr><td>RESERVED</td><td>absent, RESERVED, LIMBO</td><td>nothing</td><td>RESERVED</td></tr>
 * <tr><td>GROWN</td><td>RESERVED, LIVE</td><td>any</td><td>LIVE, ackPending</td></tr>
 * <tr><td>SHRUNK</td><td>LIVE</td><td>something</td><td>LIVE, ackPending</td></tr>
 * <tr><td>SHRUNK</td><td>LIMBO</td><td>something</td><td>unchanged</td></tr>
 * <tr><td>PARTLY_UNCOVERED</td><td>LIVE, LIMBO</td><td>something</td><td>unchanged</td></tr>
 * <tr><td>UNCOVERED</td><td>LIVE, LIMBO</td><td>something</td><td>not ackPending</td></tr>
 * <tr><td>ACKNOWLEDGED</td><td>LIVE</td><td>something</td><td>LIVE, not ackPending</td></tr>
 * <tr><td>RESTAMPED, PARTNER_CHANGED, MISPLACED</td><td>LIVE</td><td>any</td><td>LIVE, ackPending</td></tr>
 * <tr><td>DELETED, LOST</td><td>all</td><td>any</td><td>LIMBO</td></tr>
 * <tr><td>UNPROTECTED</td><td>LIVE</td><td>any</td><td>LIMBO</td></tr>
 * <tr><td>UNUSED, HELD_FOR_FOLLOWER</td><td>RESERVED</td><td>nothing</td><td>LIMBO</td></tr>
 * <tr><td>WANTED_BY_FOLLOWER</td><td>LIMBO</td><td>any</td><td>LIMBO, not partnerClear</td></tr>
 * <tr><td>RESTORED</td><td>LIMBO</td><td>any</td><td>LIVE, ackPending</td></tr>
 * <tr><td>REUSED</td><td>all</td><td>nothing</td><td>RESERVED</td></tr>
 * <tr><td>MOVED_LIVE</td><td>RESERVED</td><td>nothing</td><td>LIVE, not ackPending</td></tr>
 * <tr><td>MOVED_IN_LIMBO</td><td>RESERVED</td><td>nothing</td><td>LIMBO</td></tr>
 * <tr><td>CLEARED_BY_BOTH</td><td>LIMBO</td><td>nothing</td><td>LIMBO, partnerClear</td></tr>
 * <tr><td>RELEASED</td><td>LIMBO, partnerClear</td><td>nothing</td><td>absent</td></tr>
 * <tr><td>WITHDRAWN</td><td>RESERVED</td><td>nothing</td><td>absent</td></tr>
 * <tr><td>MOVED_OUT</td><td>all</td><td>nothing</td><td>absent</td></tr>
 * </table>
 *
 * <p><b>Invariants</b>, kept by every transition:
 *
 * <ul>
 *   <li>A RESERVED row covers nothing, and has no flag.
 *   <li>Only a LIVE row is ackPending; a LIVE row is never partnerClear.
 *   <li>A row that is partnerClear is in LIMBO and covers nothing.
 *   <li>No row that covers something becomes RESERVED or absent.
 * </ul>
 */
final class SlotLife {
  private static final Set<SlotState> ALL = EnumSet.allOf(SlotState.class);
  private static final Set<SlotState> RESERVED = EnumSet.of(SlotState.RESERVED);
  private static final Set<SlotState> LIVE = EnumSet.of(SlotState.LIVE);
  private static final Set<SlotState> LIMBO = EnumSet.of(SlotState.LIMBO);

  /** What a row has to cover before a transition. */
  private enum Covered {
    ANY,
    SOMETHING,
    NOTHING
  }

  private record Rule(Set<SlotState> from, Covered covered, UnaryOperator<SlotStatus> to) {
    boolean allows(SlotEntry row) {
      return from.contains(row.state())
          && (covered == Covered.ANY || row.coversAnything() == (covered == Covered.SOMETHING));
    }
  }

  private SlotLife() {}

  /**
   * Status of a row after a change.
   *
   * @throws LstorException.Refused if a row in this state may not change for this cause
   */
  static SlotStatus after(SlotEntry row, SlotCause cause) throws LstorException.Refused {
    Rule rule = rule(cause);
    if (!rule.allows(row)) {
      throw refused(row, cause, rule.from() + " covering " + rule.covered());
    }
    return rule.to().apply(row.status());
  }

  /**
   * @throws LstorException.Refused if a row in this state may not end for this cause
   */
  static void requireMayEnd(SlotEntry row, SlotCause cause) throws LstorException.Refused {
    cause.requireMethod(SlotCause.Method.REMOVE);
    SlotStatus last = after(row, cause);
    if (cause == SlotCause.RELEASED && !last.partnerClear()) {
      throw refused(row, cause, "partnerClear");
    }
  }

  private static Rule rule(SlotCause cause) {
    return switch (cause) {
      case RESERVED ->
          become(
              EnumSet.of(SlotState.RESERVED, SlotState.LIMBO),
              Covered.NOTHING,
              SlotStatus.RESERVED);
      case GROWN ->
          become(
              EnumSet.of(SlotState.RESERVED, SlotState.LIVE), Covered.ANY, SlotStatus.LIVE_PENDING);
      case SHRUNK -> new Rule(notReserved(), Covered.SOMETHING, SlotLife::shrunk);
      case PARTLY_UNCOVERED -> new Rule(notReserved(), Covered.SOMETHING, UnaryOperator.identity());
      case UNCOVERED -> new Rule(notReserved(), Covered.SOMETHING, SlotStatus::withoutAckPending);
      case ACKNOWLEDGED -> become(LIVE, Covered.SOMETHING, SlotStatus.LIVE_ACKNOWLEDGED);
      case RESTAMPED, PARTNER_CHANGED, MISPLACED ->
          become(LIVE, Covered.ANY, SlotStatus.LIVE_PENDING);
      case DELETED, LOST -> become(ALL, Covered.ANY, SlotStatus.LIMBO);
      case UNPROTECTED -> become(LIVE, Covered.ANY, SlotStatus.LIMBO);
      case UNUSED, HELD_FOR_FOLLOWER, MOVED_IN_LIMBO ->
          become(RESERVED, Covered.NOTHING, SlotStatus.LIMBO);
      case WANTED_BY_FOLLOWER -> new Rule(LIMBO, Covered.ANY, SlotStatus::withoutPartnerClear);
      case RESTORED -> become(LIMBO, Covered.ANY, SlotStatus.LIVE_PENDING);
      case REUSED -> become(ALL, Covered.NOTHING, SlotStatus.RESERVED);
      case MOVED_LIVE -> become(RESERVED, Covered.NOTHING, SlotStatus.LIVE_ACKNOWLEDGED);
      case CLEARED_BY_BOTH -> become(LIMBO, Covered.NOTHING, SlotStatus.LIMBO_CLEARED);
      case RELEASED -> new Rule(LIMBO, Covered.NOTHING, UnaryOperator.identity());
      case WITHDRAWN -> new Rule(RESERVED, Covered.NOTHING, UnaryOperator.identity());
      case MOVED_OUT -> new Rule(ALL, Covered.NOTHING, UnaryOperator.identity());
    };
  }

  private static Rule become(Set<SlotState> from, Covered covered, SlotStatus to) {
    return new Rule(from, covered, now -> to);
  }

  private static Set<SlotState> notReserved() {
    return EnumSet.of(SlotState.LIVE, SlotState.LIMBO);
  }

  private static SlotStatus shrunk(SlotStatus now) {
    return now.state() == SlotState.LIVE ? SlotStatus.LIVE_PENDING : now;
  }

  private static LstorException.Refused refused(SlotEntry row, SlotCause cause, String rule) {
    return new LstorException.Refused(
        "Cannot change row: frame="
            + row.frameIndex()
            + " block="
            + row.blockId()
            + " cause="
            + cause
            + " status="
            + row.status()
            + " coverage="
            + row.coverage()
            + ", expected "
            + rule);
  }
}
