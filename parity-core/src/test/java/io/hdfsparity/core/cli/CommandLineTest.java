/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);

  private CommandLine program(PrintStream to) {
    return new CommandLine(
        "hdfs box",
        "a note",
        usage -> usage.println("generic options"),
        to,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        List.of(
            Command.of("-open", "<lid> [-wide]", "Opens it.\nGently.", this::open),
            Command.of("-fail", "", "Fails.", args -> -1),
            Command.of(
                "-throw",
                "",
                "Throws.",
                args -> {
                  throw new IOException("what went wrong\n\tat java.Stack.trace");
                })));
  }

  private int open(List<String> args) throws UsageException {
    Arguments a = Arguments.parse(args, Set.of("-wide"), Set.of("-by"), List.of("lid"));
    printer.println(
        a.operand(0)
            + (a.has("-wide") ? " wide" : "")
            + a.value("-by").map(" by "::concat).orElse(""));
    return 0;
  }

  private int run(String... args) {
    return program(printer).run(args);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutACommandItShowsItsUsage() {
    assertThat(run()).isEqualTo(-1);
    assertThat(err())
        .isEqualToNormalizingNewlines(
            """
            Usage: hdfs box
            Note: a note
            \t[-open <lid> [-wide]]
            \t[-fail]
            \t[-throw]
            \t[-help [COMMAND]]

            generic options
            """);
  }

  @Test
  void runsACommandWithOrWithoutItsDash() {
    assertThat(run("-open", "-wide", "top", "-by", "me")).isZero();
    assertThat(run("open", "top")).isZero();
    assertThat(out().lines()).containsExactly("top wide by me", "top");
    assertThat(run("-fail")).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "'', lid is missing",
    "'a b', unknown argument b",
    "'a -x', unknown argument -x",
    "'a -by', -by needs a value",
    "'a -by x -by y', -by is given twice",
    "'a -wide -wide', -wide is given twice",
  })
  void wrongArgumentsShowTheCommandsUsage(String args, String message) {
    assertThat(run(("-open " + args).trim().split(" "))).isEqualTo(-1);
    assertThat(err().lines())
        .containsExactly("open: " + message, "Usage: hdfs box [-open <lid> [-wide]]");
  }

  @Test
  void anErrorIsOneLine() {
    assertThat(run("-throw")).isEqualTo(-1);
    assertThat(err().lines()).containsExactly("throw: what went wrong");
  }

  private static List<Throwable> errorsOfFiles() {
    return List.of(
        new NoSuchFileException("piece"),
        new AccessDeniedException("piece"),
        new FileAlreadyExistsException("piece"),
        new DirectoryNotEmptyException("piece"),
        new NotDirectoryException("piece"),
        new UncheckedIOException(new NoSuchFileException("piece")),
        new FileSystemException("piece"),
        new FileSystemException("piece", null, "No space left on device"),
        new NoSuchFileException("piece", "other", null));
  }

  /** The JDK's own messages are often no more than a path. */
  @Test
  void whatIsWrongWithALocalFileIsSaid() {
    List<String> told = new ArrayList<>();
    for (Throwable error : errorsOfFiles()) {
      err.reset();
      assertThat(failing(error).run("-write")).isEqualTo(-1);
      told.add(err().trim());
    }
    assertThat(told)
        .containsExactly(
            "write: piece: no such file or directory",
            "write: piece: permission denied",
            "write: piece: there is one of that name",
            "write: piece: directory not empty",
            "write: piece: not a directory",
            "write: piece: no such file or directory",
            "write: piece: cannot be read or written",
            "write: piece: No space left on device",
            "write: piece -> other: no such file or directory");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoIsOutOfMemoryIsToldHowToGetMore(boolean isThrownItself) {
    Throwable error = new OutOfMemoryError("Java heap space");
    assertThat(failing(isThrownItself ? error : new IOException("a task", error)).run("-write"))
        .isEqualTo(-1);
    assertThat(err().lines())
        .singleElement()
        .asString()
        .startsWith("write: Cannot continue: memory=Java heap space, heap=at most ")
        .contains("HADOOP_HEAPSIZE_MAX", "HDFS_PARITY_OPTS");
  }

  private CommandLine failing(Throwable error) {
    return new CommandLine(
        "hdfs box",
        "a note",
        usage -> {},
        printer,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        List.of(
            Command.of(
                "-write",
                "",
                "Fails.",
                args -> {
                  if (error instanceof Error fatal) {
                    throw fatal;
                  }
                  throw (Exception) error;
                })));
  }

  @Test
  void helpExplains() {
    assertThat(run("-help", "open")).isZero();
    assertThat(out().lines()).containsExactly("-open <lid> [-wide]", "\tOpens it.", "\tGently.");
    assertThat(run("-help", "dance")).isEqualTo(-1);
    assertThat(err()).startsWith("help: unknown command dance");
  }

  @Test
  void anAnswerThatCannotBePrintedIsAnError() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("full");
          }
        };
    assertThat(program(new PrintStream(full, true, StandardCharsets.UTF_8)).run("-help"))
        .isEqualTo(-1);
    assertThat(err()).contains("help: Cannot print the answer");
  }

  @Test
  void twoCommandsCannotHaveOneName() {
    Command twice = Command.of("-help", "", "", args -> 0);
    assertThatThrownBy(
            () -> new CommandLine("p", "n", usage -> {}, printer, printer, List.of(twice)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same name");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1536, 1.5 KiB",
    "-1536, -1.5 KiB",
    "5497558138880, 5.0 TiB"
  })
  void sizesHaveTheUnitThatSuits(long bytes, String text) {
    assertThat(SizesAndDurations.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000",
    "4T, 4398046511104",
    "4TB, 4000000000000",
    "1.5 GiB, 1610612736",
    "200gb, 200000000000",
    "7B, 7"
  })
  void sizesAreParsed(String text, long bytes) {
    assertThat(SizesAndDurations.parseBytes("size", text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1.5", "4X", "9999999P", "1e9", "T"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> SizesAndDurations.parseBytes("size", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read a size: size=" + text + ", expected a positive size");
  }

  @Test
  void secondsAreRoundedUp() {
    assertThat(SizesAndDurations.minutes(61_001)).isEqualTo("01:02");
  }

  @Test
  void aCommandMayHaveSeveralOperands() throws UsageException {
    Arguments several =
        Arguments.parseSeveral(
            List.of("a", "-wide", "b", "-by", "x", "c"), Set.of("-wide"), Set.of("-by"), "lid");
    assertThat(several.operands()).containsExactly("a", "b", "c");
    assertThat(several.operand(2)).isEqualTo("c");
    assertThatThrownBy(
            () -> Arguments.parseSeveral(List.of("-wide"), Set.of("-wide"), Set.of(), "lid"))
        .hasMessage("lid is missing");
    assertThatThrownBy(() -> Arguments.parseSeveral(List.of("-x"), Set.of(), Set.of(), "lid"))
        .hasMessage("unknown argument -x");
  }
}
