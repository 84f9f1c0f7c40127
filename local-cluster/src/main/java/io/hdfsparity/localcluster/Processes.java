/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import io.hdfsparity.core.check.Attempts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts, finds and ends the processes of one cluster.
 *
 * <p><b>Invariants.</b> A process is signalled only when its {@link ProcessMark} still holds, or
 * when it carries the cluster's mark on its command line. A process that was started is known by
 * its pid file before anything else happens; after {@link #closeForStart} none is started any more.
 *
 * <p>Thread-safe.
 */
final class Processes {
  private static final Duration TERM_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RUN_TIMEOUT = Duration.ofSeconds(60);
  private static final int LOG_LINES = 12;
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private final ClusterPaths paths;
  private final String mark;
  private final DaemonLaunch launch;
  private final Consumer<String> log;
  private final List<Daemon> started = new ArrayList<>();
  private boolean closed;

  Processes(ClusterPaths paths, String clusterId, DaemonLaunch launch, Consumer<String> log) {
    this.paths = paths;
    this.mark = mark(clusterId);
    this.launch = launch;
    this.log = log;
  }

  /** What the command lines of all JVMs of a cluster have, those of tasks of jobs too. */
  static String mark(String clusterId) {
    return "-Dhdfsparity.cluster.id=" + clusterId;
  }

  /**
   * Starts a daemon. Its output is appended to its log.
   *
   * @param jvmOptions options before the main class
   */
  synchronized Process start(
      Daemon daemon, RuntimeImage image, List<String> jvmOptions, List<String> arguments)
      throws IOException {
    if (closed) {
      throw new IOException("Cannot start " + daemon.name() + ": the cluster is being stopped");
    }
    Process process = spawn(daemon, image, jvmOptions, arguments);
    Optional<ProcessMark> processMark = ProcessMark.of(process.pid());
    if (processMark.isPresent()) {
      processMark.get().store(paths.pidFile(daemon));
    }
    started.add(daemon);
    return process;
  }

  /**
   * Runs a daemon's main class to its end, for one that is only asked to do something, as
   * formatting.
   *
   * @throws IOException when it fails; with the last lines of its log
   */
  void run(Daemon daemon, RuntimeImage image, List<String> jvmOptions, List<String> arguments)
      throws IOException {
    Process process = start(daemon, image, jvmOptions, arguments);
    Await.until(
        "run " + daemon.name() + " " + String.join(" ", arguments),
        RUN_TIMEOUT,
        () -> process.isAlive() ? Optional.of("it has not ended") : Optional.empty());
    if (process.exitValue() != 0) {
      requireRunning(daemon);
    }
    synchronized (this) {
      started.remove(daemon);
    }
    Files.deleteIfExists(paths.pidFile(daemon));
  }

  private Process spawn(
      Daemon daemon, RuntimeImage image, List<String> jvmOptions, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A session of its own: Ctrl-C in the terminal is for the program in front, not for the
      // daemons. It does not
      // fork, as the child of a JVM leads no process group, so the process id stays.
      command.add(SETSID.toString());
    }
    command.addAll(launch.prefix(daemon));
    command.add(RuntimeImage.javaCommand());
    command.add(mark);
    command.add("-Dhdfsparity.daemon=" + daemon.name());
    if (image.archive() != null) {
      command.addAll(
          List.of(
              "-XX:SharedArchiveFile=" + image.archive(),
              "-Xshare:auto",
              "-Xlog:cds=off",
              "-Xlog:cds+dynamic=off"));
    }
    command.addAll(jvmOptions);
    Path tmp = Files.createDirectories(paths.tmpDir(daemon.name()));
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=" + tmp,
            "-Djna.tmpdir=" + tmp,
            "-XX:ErrorFile=" + paths.logDir().resolve("hs_err_" + daemon.name() + ".log"),
            "-Dlog4j.configuration=" + paths.log4jFile().toUri(),
            daemon.role().mainClass()));
    command.addAll(arguments);
    Path logFile = paths.logFile(daemon);
    Files.createDirectories(logFile.getParent());
    Files.writeString(
        logFile,
        "==== " + Instant.now() + " start of " + daemon.name() + " " + arguments + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(paths.root().toFile());
    builder
        .environment()
        .put(
            "CLASSPATH", image.classPathLine() + File.pathSeparator + paths.confJar(daemon.name()));
    builder.environment().put(YarnKeys.CLASS_PATH, image.classPathLine());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.redirectInput(new File("/dev/null"));
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
    return builder.start();
  }

  /** True while the process that was started under that name runs. */
  boolean isRunning(Daemon daemon) throws IOException {
    return pid(daemon).isPresent();
  }

  /** The process id of a daemon that runs. */
  Optional<Long> pid(Daemon daemon) throws IOException {
    Optional<ProcessMark> stored = ProcessMark.load(paths.pidFile(daemon));
    return stored.isPresent() && stored.get().isAlive()
        ? Optional.of(stored.get().pid())
        : Optional.empty();
  }

  /** True when the daemon was started and not stopped: it should run. */
  boolean shouldRun(Daemon daemon) {
    return Files.exists(paths.pidFile(daemon));
  }

  /**
   * Refuses when a daemon that was started does not run any more.
   *
   * @throws PortBusyException when it ended because a port was taken
   * @throws IOException when it ended for another reason; with the last lines of its log
   */
  void requireRunning(Daemon daemon) throws IOException {
    if (isRunning(daemon)) {
      return;
    }
    List<String> lines = lastLines(daemon);
    String text = String.join("\n  ", lines);
    String message =
        daemon.name() + " has ended; the last lines of " + paths.logFile(daemon) + ":\n  " + text;
    if (text.contains("java.net.BindException") || text.contains("Address already in use")) {
      throw new PortBusyException(message);
    }
    throw new IOException(message);
  }

  /** Complaints of the last start; when there are none, the last lines. */
  private List<String> lastLines(Daemon daemon) throws IOException {
    Path file = paths.logFile(daemon);
    if (!Files.exists(file)) {
      return List.of("(no log)");
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    int begin = lines.size();
    while (begin > 0 && !lines.get(begin - 1).startsWith("====")) {
      begin--;
    }
    List<String> last = lines.subList(begin, lines.size());
    List<String> complaints =
        last.stream()
            .filter(
                line ->
                    line.contains(" ERROR ")
                        || line.contains(" FATAL ")
                        || line.contains("Exception")
                        || line.startsWith("Error"))
            .toList();
    List<String> shown = complaints.isEmpty() ? last : complaints;
    return shown.subList(Math.max(0, shown.size() - LOG_LINES), shown.size());
  }

  /** From now on nothing is started. */
  synchronized void closeForStart() {
    closed = true;
  }

  /** What this object has started. */
  synchronized List<Daemon> started() {
    return List.copyOf(started);
  }

  /** Forgets what was started, before another attempt. */
  synchronized void forgetStarted() {
    started.clear();
  }

  /** Ends daemons: SIGTERM to all, then SIGKILL to those that do not end in time. */
  void stop(List<Daemon> daemons) throws IOException {
    List<Daemon> running = signal(daemons, ProcessHandle::destroy);
    if (Await.ask(TERM_TIMEOUT, () -> alive(running)).isPresent()) {
      List<Daemon> left = new ArrayList<>();
      for (Daemon daemon : running) {
        if (isRunning(daemon)) {
          left.add(daemon);
        }
      }
      log.accept(
          "Killing what did not end within "
              + TERM_TIMEOUT.toSeconds()
              + " s: "
              + String.join(", ", left.stream().map(Daemon::name).toList()));
      kill(left);
    }
    forget(daemons);
  }

  /**
   * Ends daemons at once (SIGKILL), each by itself: one that cannot be ended keeps none of the
   * others alive. Their pid files stay, so that status can tell killed from stopped.
   *
   * @throws IOException when one cannot be ended; the reasons for further ones are suppressed in it
   */
  void kill(List<Daemon> daemons) throws IOException {
    List<Daemon> running = new ArrayList<>();
    Attempts attempts = new Attempts();
    for (Daemon daemon : daemons) {
      attempts.run(() -> running.addAll(signal(List.of(daemon), ProcessHandle::destroyForcibly)));
    }
    attempts.run(() -> Await.until("kill", KILL_TIMEOUT, () -> alive(running)));
    attempts.throwFirst();
  }

  /** Removes the pid files of daemons that have ended. */
  void forget(List<Daemon> daemons) throws IOException {
    for (Daemon daemon : daemons) {
      if (!isRunning(daemon)) {
        Files.deleteIfExists(paths.pidFile(daemon));
      }
    }
  }

  private Optional<String> alive(List<Daemon> daemons) throws IOException {
    for (Daemon daemon : daemons) {
      if (isRunning(daemon)) {
        return Optional.of(daemon.name() + " still runs");
      }
    }
    return Optional.empty();
  }

  private List<Daemon> signal(List<Daemon> daemons, Consumer<ProcessHandle> signal)
      throws IOException {
    List<Daemon> signalled = new ArrayList<>();
    for (Daemon daemon : daemons) {
      Optional<Long> pid = pid(daemon);
      if (pid.isPresent()) {
        ProcessHandle.of(pid.get()).ifPresent(signal);
        signalled.add(daemon);
      }
    }
    return signalled;
  }

  /** Processes that carry this cluster's mark, whether or not there is a pid file. */
  List<ProcessHandle> marked() {
    long self = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(handle -> handle.pid() != self)
        .filter(
            handle ->
                handle.info().arguments().stream().flatMap(Arrays::stream).anyMatch(mark::equals))
        .toList();
  }

  /**
   * Kills all that carries the mark: left by a launcher that was killed in the middle of a start,
   * or by a job whose NodeManager was killed.
   */
  void killStrays() throws IOException {
    List<ProcessHandle> strays = marked();
    for (ProcessHandle stray : strays) {
      log.accept(
          "Killing process " + stray.pid() + ", which a start that was cut off or a job has left");
      stray.destroyForcibly();
    }
    Await.until(
        "kill strays",
        KILL_TIMEOUT,
        () -> {
          for (ProcessHandle stray : strays) {
            if (ProcessMark.of(stray.pid()).isPresent() && stray.isAlive()) {
              return Optional.of("process " + stray.pid() + " still runs");
            }
          }
          return Optional.empty();
        });
  }
}
