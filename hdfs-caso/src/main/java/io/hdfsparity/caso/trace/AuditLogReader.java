/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLine;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.LineTraceReader;
import io.hdfsparity.core.trace.TraceFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit log of an HDFS NameNode (checked against {@code FSNamesystemAuditLogger} of
 * Hadoop 3.5.0). It says which file was used and when, not which bytes, so a cell is a whole file
 * here: {@link FileCells} numbers them.
 *
 * <pre>
 * 2026-11-21 17:55:55,123 INFO FSNamesystem.audit: allowed=true\tugi=a (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc
 * </pre>
 *
 * <p>{@code open} reads a file; {@code create}, {@code append} and {@code truncate} write it;
 * {@code rename} gives its cell another name, {@code delete} takes the name away, and those below a
 * directory. {@code concat} appends to its target and deletes its sources. Other commands, and what
 * was not allowed, is ignored, and so are snapshots and inode paths.
 *
 * <p>The time is local, without zone, and taken as UTC: only differences count, so that at a change
 * to winter time an hour comes twice. Fields are separated by tabs; a tab or a line end in a path
 * is escaped by the NameNode, and paths are compared as they are escaped.
 *
 * <p>Not thread-safe.
 */
public final class AuditLogReader extends LineTraceReader<CellRequest> implements TraceSource {
  /** Longest line that is understood, in bytes. */
  public static final int MAX_LINE_BYTES = 1 << 16;

  private static final String START = "allowed=";
  private static final String RAW = "/.reserved/raw";
  private static final int TIME_CHARS = 23;
  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int NANOS_PER_TICK = 100;

  private final FileCells files;

  /**
   * Reads from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param files gets the files; may hold those of an earlier log
   * @param listener is called with each bad line that is skipped
   * @throws IOException if the first bytes cannot be read
   */
  public AuditLogReader(
      InputStream in, FileCells files, BadLines badLines, Consumer<BadLine> listener)
      throws IOException {
    super(in, StandardCharsets.UTF_8, MAX_LINE_BYTES, badLines, listener);
    this.files = files;
  }

  @Override
  protected @Nullable CellRequest parsed(String text, boolean isFirst) throws TraceFormatException {
    int start = text.indexOf(START);
    if (start < 0) {
      throw bad("line", "without " + START, "a line of the audit log");
    }
    long timeTicks = timeTicks(text);
    String[] fields = text.substring(start).split("\t", -1);
    String allowed = value(fields, START);
    if (!allowed.equals("true") && !allowed.equals("false")) {
      throw bad("allowed", allowed, "true or false");
    }
    String cmd = value(fields, "cmd=");
    String src = value(fields, "src=");
    String dst = value(fields, "dst=");
    return allowed.equals("true") ? request(timeTicks, cmd, src, dst) : null;
  }

  private @Nullable CellRequest request(long timeTicks, String cmd, String src, String dst)
      throws TraceFormatException {
    switch (cmd) {
      case "open" -> {
        return of(timeTicks, Access.READ, plain(src));
      }
      case "create", "append", "truncate" -> {
        return of(timeTicks, Access.WRITE, plain(src));
      }
      case "delete" -> files.delete(plain(src));
      case "concat" -> {
        // The sources are an array's text: [/a, /b]; a comma and a space may be part of a name.
        for (String source : src.replaceAll("^\\[|]$", "").split(", ", -1)) {
          files.delete(plain(source));
        }
        return of(timeTicks, Access.WRITE, plain(dst));
      }
      default -> {
        // "rename (options=[...])"; FSNamesystem.renameTo
        if (cmd.equals("rename") || cmd.startsWith("rename (")) {
          files.rename(plain(src), plain(dst));
        }
      }
    }
    return null;
  }

  private @Nullable CellRequest of(long timeTicks, Access access, String path)
      throws TraceFormatException {
    if (path.isEmpty()) {
      return null;
    }
    return new CellRequest(timeTicks, access, files.cell(path), 1);
  }

  /** A path that a file can be known by; empty for inode ids, snapshots and the root. */
  private static String plain(String path) {
    String plain = path.startsWith(RAW + "/") ? path.substring(RAW.length()) : path;
    while (plain.length() > 1 && plain.endsWith("/")) {
      plain = plain.substring(0, plain.length() - 1);
    }
    boolean isKnown =
        plain.length() > 1
            && plain.startsWith("/")
            && !plain.startsWith("/.reserved/")
            && !plain.contains("/.snapshot/");
    return isKnown ? plain : "";
  }

  private static long timeTicks(String text) throws TraceFormatException {
    if (text.length() >= TIME_CHARS) {
      String time = text.substring(0, TIME_CHARS).replace(' ', 'T').replace(',', '.');
      try {
        LocalDateTime at = LocalDateTime.parse(time);
        return Math.addExact(
            Math.multiplyExact(at.toEpochSecond(ZoneOffset.UTC), TICKS_PER_SECOND),
            at.getNano() / NANOS_PER_TICK);
      } catch (DateTimeException | ArithmeticException e) {
        throw bad("time", text.substring(0, TIME_CHARS), "as 2026-11-21 17:55:55,123");
      }
    }
    throw bad("time", "missing", "as 2026-11-21 17:55:55,123");
  }

  private static String value(String[] fields, String name) throws TraceFormatException {
    for (String field : fields) {
      if (field.startsWith(name)) {
        return field.substring(name.length());
      }
    }
    throw bad(name.substring(0, name.length() - 1), "missing", "in a line of the audit log");
  }

  private static TraceFormatException bad(String name, String value, String rule) {
    return new TraceFormatException(
        ErrorMessage.to("read trace").value(name, value).expected(rule).message());
  }
}
