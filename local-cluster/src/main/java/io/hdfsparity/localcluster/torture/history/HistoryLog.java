/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A history in a file, one JSON object a line, each flushed when it is written.
 *
 * <p><b>Invariant.</b> A write has a line before it is sent, as one of unknown outcome, and another
 * line of the same number when it has ended. So the file of a run that was cut off can be checked.
 *
 * <p>Thread-safe.
 */
public final class HistoryLog implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferedWriter out;
  private final LongSupplier clock;
  private long next;

  /**
   * Begins a file.
   *
   * @param clock nanoseconds since the beginning of the run; never goes back
   * @throws IOException if there is such a file already
   */
  public HistoryLog(Path file, LongSupplier clock) throws IOException {
    this.clock = clock;
    out = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
  }

  /**
   * An operation begins now.
   *
   * @param value what is written; empty for a read
   */
  public synchronized Operation begin(
      String client, OperationKind kind, String object, String value) throws IOException {
    long now = clock.getAsLong();
    Operation begun = new Operation(next++, client, kind, object, value, Outcome.UNKNOWN, now, now);
    if (kind.isWrite()) {
      append(begun);
    }
    return begun;
  }

  /** A write was acknowledged. */
  public void acknowledge(Operation begun) throws IOException {
    end(begun, Outcome.OK, begun.value());
  }

  /** A read has an answer. */
  public void answer(Operation begun, String value) throws IOException {
    end(begun, Outcome.OK, value);
  }

  /**
   * It failed: a read without an answer, a write with unknown outcome.
   *
   * @throws IOException if it cannot be written down
   */
  public void fail(Operation begun) throws IOException {
    end(begun, begun.kind().isWrite() ? Outcome.UNKNOWN : Outcome.FAILED, begun.value());
  }

  private synchronized void end(Operation begun, Outcome outcome, String value) throws IOException {
    append(begun.ended(outcome, value, clock.getAsLong()));
  }

  private void append(Operation operation) throws IOException {
    out.write(JSON.writeValueAsString(operation));
    out.newLine();
    out.flush();
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  /**
   * Reads a history, ordered by the beginning of operations. The last line may be cut off.
   *
   * @throws IOException if another line is no operation
   */
  public static List<Operation> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    Map<Long, Operation> byNumber = new TreeMap<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        Operation operation = JSON.readValue(lines.get(i), Operation.class);
        byNumber.put(operation.number(), operation);
      } catch (IOException e) {
        if (i < lines.size() - 1) {
          throw new IOException(
              ErrorMessage.to("read a history")
                  .value("line", i + 1)
                  .expected("an operation as JSON")
                  .file(file)
                  .message(),
              e);
        }
      }
    }
    List<Operation> operations = new ArrayList<>(byNumber.values());
    operations.sort(Comparator.comparingLong(Operation::beginNanos));
    return operations;
  }
}
