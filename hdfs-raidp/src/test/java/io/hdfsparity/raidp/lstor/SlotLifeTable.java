/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The dumb twin of {@link SlotLife}: every cause that a row takes, one row a line.
 *
 * <p>Rows are R, L, M for RESERVED, LIVE, LIMBO; '+' for one that covers something, 'a' for
 * ackPending, 'c' for partnerClear. What a cause leads to has no '+', because causes decide on
 * state and flags only. '.' is absent.
 */
public final class SlotLifeTable {
  private static final String TABLE =
      """
      RESERVED           R R
      RESERVED           M R
      RESERVED           Mc R
      GROWN              R La
      GROWN              L La
      GROWN              La La
      GROWN              L+ La
      GROWN              L+a La
      SHRUNK             L+ La
      SHRUNK             L+a La
      SHRUNK             M+ M
      PARTLY_UNCOVERED   L+ L
      PARTLY_UNCOVERED   L+a La
      PARTLY_UNCOVERED   M+ M
      UNCOVERED          L+ L
      UNCOVERED          L+a L
      UNCOVERED          M+ M
      ACKNOWLEDGED       L+ L
      ACKNOWLEDGED       L+a L
      RESTAMPED          L La
      RESTAMPED          La La
      RESTAMPED          L+ La
      RESTAMPED          L+a La
      PARTNER_CHANGED    L La
      PARTNER_CHANGED    La La
      PARTNER_CHANGED    L+ La
      PARTNER_CHANGED    L+a La
      MISPLACED          L La
      MISPLACED          La La
      MISPLACED          L+ La
      MISPLACED          L+a La
      DELETED            R M
      DELETED            L M
      DELETED            La M
      DELETED            L+ M
      DELETED            L+a M
      DELETED            M M
      DELETED            Mc M
      DELETED            M+ M
      LOST               R M
      LOST               L M
      LOST               La M
      LOST               L+ M
      LOST               L+a M
      LOST               M M
      LOST               Mc M
      LOST               M+ M
      UNPROTECTED        L M
      UNPROTECTED        La M
      UNPROTECTED        L+ M
      UNPROTECTED        L+a M
      UNUSED             R M
      HELD_FOR_FOLLOWER  R M
      WANTED_BY_FOLLOWER M M
      WANTED_BY_FOLLOWER Mc M
      WANTED_BY_FOLLOWER M+ M
      RESTORED           M La
      RESTORED           Mc La
      RESTORED           M+ La
      REUSED             R R
      REUSED             L R
      REUSED             La R
      REUSED             M R
      REUSED             Mc R
      MOVED_LIVE         R L
      MOVED_IN_LIMBO     R M
      CLEARED_BY_BOTH    M Mc
      CLEARED_BY_BOTH    Mc Mc
      RELEASED           Mc .
      WITHDRAWN          R .
      MOVED_OUT          R .
      MOVED_OUT          L .
      MOVED_OUT          La .
      MOVED_OUT          M .
      MOVED_OUT          Mc .
      """;

  private static final Map<String, String> NEXT = parse();

  private SlotLifeTable() {}

  private static Map<String, String> parse() {
    Map<String, String> next = new HashMap<>();
    for (String line : TABLE.split("\n")) {
      String[] words = line.trim().split(" +");
      if (next.put(words[0] + " " + words[1], words[2]) != null) {
        throw new IllegalStateException("Twice: " + line);
      }
    }
    return next;
  }

  /** Whether rows get into this state with these flags at all. */
  public static boolean isReachable(SlotEntry row) {
    return NEXT.containsKey("LOST " + name(row));
  }

  /** Whether the table lets the row take the cause. */
  static boolean allows(SlotEntry row, SlotCause cause) {
    return NEXT.containsKey(cause + " " + name(row));
  }

  /** Status after an allowed cause; empty when the row ends. */
  static Optional<SlotStatus> after(SlotEntry row, SlotCause cause) {
    String next = NEXT.get(cause + " " + name(row));
    return switch (next) {
      case "." -> Optional.empty();
      case "R" -> Optional.of(new SlotStatus(SlotState.RESERVED, false, false));
      case "L" -> Optional.of(new SlotStatus(SlotState.LIVE, false, false));
      case "La" -> Optional.of(new SlotStatus(SlotState.LIVE, true, false));
      case "M" -> Optional.of(new SlotStatus(SlotState.LIMBO, false, false));
      case "Mc" -> Optional.of(new SlotStatus(SlotState.LIMBO, false, true));
      default -> throw new IllegalStateException("Unknown: " + next);
    };
  }

  static String name(SlotEntry row) {
    return switch (row.state()) {
          case RESERVED -> "R";
          case LIVE -> "L";
          case LIMBO -> "M";
        }
        + (row.coversAnything() ? "+" : "")
        + (row.ackPending() ? "a" : "")
        + (row.partnerClear() ? "c" : "");
  }
}
