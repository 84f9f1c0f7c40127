/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every member of Hadoop that the bridge reaches or overrides although it is not part of Hadoop's
 * public interface: {@code reached-members.txt}, and a file for each line of Hadoop. A Hadoop
 * upgrade that changes one fails here, and the class named with it has to be read again.
 */
class ReachedMembersTest {
  private static final String DN = "org.apache.hadoop.hdfs.server.datanode.";
  private static final String BM = "org.apache.hadoop.hdfs.server.blockmanagement.";
  private static final String C = "org.apache.hadoop.hdfs.";

  private static final Pattern LINE =
      Pattern.compile(
          "(?<type>[\\w.$]+): (?:(?<access>public|protected|private) )?(?:(?<result>\\S+) )?"
              + "(?<member>[\\w<>]+)(?:\\((?<parameters>.*)\\))?");

  /** A member as it must be: parameter types by simple name; a field has none. */
  record Reached(
      String type, String member, String access, String result, @Nullable List<String> parameters) {

    static Reached parse(String line) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("Cannot read reached-members.txt: line=" + line);
      }
      String parameters = matcher.group("parameters");
      return new Reached(
          matcher.group("type"),
          matcher.group("member"),
          Objects.requireNonNullElse(matcher.group("access"), ""),
          Objects.requireNonNullElse(matcher.group("result"), ""),
          parameters == null
              ? null
              : parameters.isEmpty() ? List.of() : List.of(parameters.split(", ")));
    }
  }

  static Stream<Reached> members() throws IOException {
    String line = VersionInfo.getVersion().replaceFirst("^(\\d+\\.\\d+).*", "$1");
    return Stream.concat(
        members("/reached-members.txt"), members("/reached-members-" + line + ".txt"));
  }

  private static Stream<Reached> members(String resource) throws IOException {
    try (InputStream in = ReachedMembersTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(Reached::parse);
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void isAsItWasRead(Reached reached) throws Exception {
    // Not initialized: some of these classes start machinery when they are.
    Class<?> type = Class.forName(reached.type(), false, getClass().getClassLoader());
    Stream<? extends Member> named =
        reached.parameters() == null
            ? Arrays.stream(type.getDeclaredFields())
                .filter(f -> f.getName().equals(reached.member()))
                .filter(f -> f.getType().getSimpleName().equals(reached.result()))
            : executables(type, reached).filter(e -> names(e).equals(reached.parameters()));
    List<? extends Member> found = named.filter(m -> access(m).equals(reached.access())).toList();
    assertThat(found).as("%s, with this access, result and parameters", reached).hasSize(1);
    assertThat(Modifier.isFinal(found.get(0).getModifiers()) && reached.parameters() != null)
        .as("%s can be overridden", reached)
        .isFalse();
  }

  private static Stream<? extends Executable> executables(Class<?> type, Reached reached) {
    if (reached.member().equals("<init>")) {
      return Arrays.stream(type.getDeclaredConstructors());
    }
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> m.getName().equals(reached.member()) && !m.isBridge())
        .filter(m -> m.getReturnType().getSimpleName().equals(reached.result()));
  }

  private static List<String> names(Executable executable) {
    return Arrays.stream(executable.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  private static String access(Member member) {
    int modifiers = member.getModifiers();
    if (Modifier.isPublic(modifiers)) {
      return "public";
    }
    return Modifier.isProtected(modifiers)
        ? "protected"
        : Modifier.isPrivate(modifiers) ? "private" : "";
  }

  /**
   * BlockMapGuardInstaller comes from the stats that a placement policy gets to the block manager.
   */
  @Test
  void clusterStatsKnowTheirDatanodeManager() throws Exception {
    Class<?> type = Class.forName(BM + "DatanodeManager", false, getClass().getClassLoader());
    Class<?> stats = type.getDeclaredMethod("newFSClusterStats").getReturnType();
    assertThat(
            Arrays.stream(new int[] {1, 2, 3, 4, 5, 6})
                .mapToObj(i -> anonymous(type, i))
                .filter(c -> c != null && stats.isAssignableFrom(c))
                .map(c -> access(declared(c, "this$0"))))
        .containsExactly("");
  }

  private static Class<?> anonymous(Class<?> type, int number) {
    try {
      return Class.forName(type.getName() + "$" + number, false, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static Member declared(Class<?> type, String field) {
    try {
      return type.getDeclaredField(field);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theBridgeWasReadAgainstThisVersion() {
    assertThat(VersionInfo.getVersion()).isIn("3.4.3", "3.5.0");
  }

  /**
   * FeatureClient overrides the two that make a stream, and the one that wraps it; one more would
   * pass it by.
   */
  @Test
  void clientHasNoOtherWayToOpenFiles() throws Exception {
    Class<?> type = Class.forName(C + "DFSClient", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getReturnType().getSimpleName().endsWith("InputStream"))
                .map(m -> m.getName() + names(m)))
        .containsExactlyInAnyOrder(
            "open[String]",
            "open[String, int, boolean]",
            "open[String, int, boolean, Statistics]",
            "open[HdfsPathHandle, int, boolean]",
            "openInternal[LocatedBlocks, String, boolean]",
            "createWrappedInputStream[DFSInputStream]",
            "getInotifyEventStream[]",
            "getInotifyEventStream[long]");
  }

  /** FeatureClient overrides all of these; one more would change files in stored order. */
  @Test
  void clientHasNoOtherWayToChangeLengths() throws Exception {
    Class<?> type = Class.forName(C + "DFSClient", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
                .filter(
                    m ->
                        m.getName()
                            .matches("(?i).*(append|truncate|concat|primitiveCreate|checksum).*"))
                .map(m -> m.getName() + names(m)))
        .containsExactlyInAnyOrder(
            "append[String, int, EnumSet, Progressable, Statistics]",
            "append[String, int, EnumSet, Progressable, Statistics, InetSocketAddress[]]",
            "primitiveCreate[String, FsPermission, EnumSet, boolean, short, long, Progressable, int,"
                + " ChecksumOpt]",
            "truncate[String, long]",
            "concat[String, String[]]",
            "getFileChecksum[String, long]",
            "getFileChecksumWithCombineMode[String, long]");
  }

  /**
   * The bridge intercepts FileIoProvider by overriding: a new way to delete, move or cut a file
   * would pass it by. So the list of its public methods is known.
   */
  @Test
  void fileIoProviderHasNoOtherWayToChangeFiles() throws Exception {
    Class<?> type = Class.forName(DN + "FileIoProvider", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()))
                .map(java.lang.reflect.Method::getName)
                .distinct())
        .containsExactlyInAnyOrder(
            "flush",
            "sync",
            "dirSync",
            "syncFileRange",
            "posixFadvise",
            "delete",
            "deleteWithExistsCheck",
            "transferToSocketFully",
            "createFile",
            "getFileInputStream",
            "getFileOutputStream",
            "getShareDeleteFileInputStream",
            "openAndSeek",
            "getRandomAccessFile",
            "fullyDelete",
            "replaceFile",
            "rename",
            "moveFile",
            "move",
            "nativeCopyFileUnbuffered",
            "mkdirs",
            "mkdirsWithExistsCheck",
            "listFiles",
            "list",
            "listDirectory",
            "getHardLinkCount",
            "exists",
            "getProfilingEventHook");
  }
}
