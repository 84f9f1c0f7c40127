/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * What a client can do beyond Hadoop's own, stated in the caller context of its calls. The entry is
 * {@code hdfsparity:<ability>}, added behind what a job or user has set there, which is kept with
 * its signature. A signature that covers the whole context does not cover the entry.
 *
 * <p>The context may be longer than {@code hadoop.caller.context.max.size}: that is where the audit
 * log cuts it, so an entry is cut before anything of the job's is, and the RPC carries all of it.
 *
 * <p>A statement is no credential: anybody can make it. It keeps those from reading and writing who
 * would do it wrong without knowing. Stateless.
 */
public final class CallerAbilities {
  /** Reads files whose cells are stored in another order than the file's own. */
  public static final String ORDERS = "orders";

  private static final String KEY = "hdfsparity";
  private static final String SEPARATOR = ":";
  private static final String STATED_ORDERS = entry(ORDERS);

  private CallerAbilities() {}

  /** The ability to compute the parity of a codec, by the codec's name. */
  public static String codec(String codecName) {
    return "codec." + codecName;
  }

  /** How an ability stands in a caller context. */
  public static String entry(String ability) {
    return KEY + SEPARATOR + ability;
  }

  /** Until it is closed, calls of this thread, and of threads that it starts, state an ability. */
  public static final class Statement implements AutoCloseable {
    private final @Nullable CallerContext before;
    private final @Nullable CallerContext stated;

    private Statement(@Nullable CallerContext before, @Nullable CallerContext stated) {
      this.before = before;
      this.stated = stated;
    }

    /** Puts back what was there, unless somebody else has set another context meanwhile. */
    @Override
    public void close() {
      if (Objects.equals(CallerContext.getCurrent(), stated)) {
        CallerContext.setCurrent(before);
      }
    }
  }

  /** States an ability; the caller closes the statement in the same thread. */
  public static Statement state(String ability) {
    return state(List.of(ability));
  }

  /** States abilities; the caller closes the statement in the same thread. */
  public static Statement state(List<String> abilities) {
    CallerContext before = CallerContext.getCurrent();
    List<String> missing =
        abilities.stream().filter(ability -> !isStated(before, ability)).toList();
    if (missing.isEmpty()) {
      return new Statement(before, before);
    }
    CallerContext.Builder context =
        new CallerContext.Builder(before == null ? "" : before.getContext());
    if (before != null) {
      context.setSignature(before.getSignature());
    }
    missing.forEach(ability -> context.append(KEY, ability));
    CallerContext stated = context.build();
    CallerContext.setCurrent(stated);
    return new Statement(before, stated);
  }

  /** Whether a caller has stated that it reads files in stored order. */
  public static boolean knowsOrders(@Nullable CallerContext context) {
    return contains(context, STATED_ORDERS);
  }

  /** Whether a caller has stated an ability. */
  public static boolean isStated(@Nullable CallerContext context, String ability) {
    return contains(context, entry(ability));
  }

  /** Whatever separates entries: it is configurable, and Routers add theirs behind. */
  private static boolean contains(@Nullable CallerContext context, String entry) {
    String text = context == null ? null : context.getContext();
    if (text == null) {
      return false;
    }
    for (int at = text.indexOf(entry); at >= 0; at = text.indexOf(entry, at + 1)) {
      int end = at + entry.length();
      if ((at == 0 || !isWord(text.charAt(at - 1)))
          && (end == text.length() || !isWord(text.charAt(end)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == ':';
  }
}
