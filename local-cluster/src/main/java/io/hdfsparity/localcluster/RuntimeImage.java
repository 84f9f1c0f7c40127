/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * What the JVMs of a cluster run: a class path of jars only, and a class data archive (application
 * CDS) of Hadoop's classes that cuts the start of a daemon to about half.
 *
 * <p>Folders of classes on our own class path are packed into jars first: the JVM archives classes
 * from jars only, and a daemon that runs must not see its classes change under it when the project
 * is built again.
 *
 * @param classPath jars
 * @param archive the class data archive, or null when none could be made
 */
record RuntimeImage(List<Path> classPath, Path archive) {
  private static final int TRAINING_TIMEOUT_SECONDS = 120;
  private static final String ARCHIVE_PREFIX = "classes-";

  /** The class path of this JVM. */
  static List<Path> ownClassPath() {
    List<Path> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (Files.exists(path)) {
        entries.add(path);
      }
    }
    return entries;
  }

  /** Prepares the class path without an archive of classes. */
  static RuntimeImage withoutArchive(Path cacheDir, List<Path> entries) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (Path entry : entries) {
      jars.add(Files.isDirectory(entry) ? pack(cacheDir.resolve("lib"), entry) : entry);
    }
    return new RuntimeImage(List.copyOf(jars), null);
  }

  /**
   * Prepares class path and archive. The archive is made once for a class path and JVM, which takes
   * some seconds.
   *
   * @param cacheDir where jars and archives are kept
   * @param entries jars and folders of classes
   * @param log told what takes its time, and why there is no archive
   */
  static RuntimeImage prepare(Path cacheDir, List<Path> entries, Consumer<String> log)
      throws IOException {
    RuntimeImage plain = withoutArchive(cacheDir, entries);
    Path archive = archive(cacheDir, plain);
    if (!Files.exists(archive)) {
      log.accept("Making the archive of Hadoop's classes, once (" + archive + ")");
      if (!train(cacheDir, plain, archive, log)) {
        return plain;
      }
    }
    return new RuntimeImage(plain.classPath, archive);
  }

  /** The same, with the archive only if it was made: for a daemon that somebody waits for. */
  static RuntimeImage asMade(Path cacheDir, List<Path> entries) throws IOException {
    RuntimeImage plain = withoutArchive(cacheDir, entries);
    Path archive = archive(cacheDir, plain);
    return Files.exists(archive) ? new RuntimeImage(plain.classPath, archive) : plain;
  }

  /** Where the archive for a class path and this JVM is, or would be. */
  static Path archive(Path cacheDir, RuntimeImage plain) throws IOException {
    return cacheDir.resolve(ARCHIVE_PREFIX + fingerprint(plain.classPath) + ".jsa");
  }

  /** The class path as one line. */
  String classPathLine() {
    return String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList());
  }

  private static boolean train(
      Path cacheDir, RuntimeImage plain, Path archive, Consumer<String> log) throws IOException {
    Path work = Files.createTempDirectory(cacheDir, "training");
    Path made = work.resolve("classes.jsa");
    Path out = cacheDir.resolve("training.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            javaCommand(),
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-XX:-UsePerfData",
            "-XX:ArchiveClassesAtExit=" + made,
            "-Djava.io.tmpdir=" + work,
            CdsTraining.class.getName(),
            work.resolve("data").toString());
    builder.environment().put("CLASSPATH", plain.classPathLine());
    builder.redirectErrorStream(true).redirectOutput(out.toFile());
    Process process = builder.start();
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      boolean ended = process.waitFor(TRAINING_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0 || !Files.exists(made)) {
        log.accept(
            "No archive of classes: the training run "
                + (ended ? "ended with exit code " + process.exitValue() : "took too long")
                + ", see "
                + out
                + "; daemons start more slowly");
        return false;
      }
      Files.move(
          made, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      removeOthers(cacheDir, archive);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the archive of classes was made", e);
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
      LiveFolder.delete(work);
    }
  }

  /** JVMs that run keep archives mapped that are deleted here. */
  private static void removeOthers(Path cacheDir, Path archive) throws IOException {
    try (DirectoryStream<Path> archives =
        Files.newDirectoryStream(cacheDir, ARCHIVE_PREFIX + "*.jsa")) {
      for (Path other : archives) {
        if (!other.equals(archive)) {
          Files.deleteIfExists(other);
        }
      }
    }
  }

  static String javaCommand() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The JVM refuses an archive when a jar has another size or time, or the JVM is another one. */
  private static String fingerprint(List<Path> jars) throws IOException {
    MessageDigest digest = sha256();
    digest.update(
        (System.getProperty("java.home") + System.getProperty("java.vm.version"))
            .getBytes(StandardCharsets.UTF_8));
    for (Path jar : jars) {
      digest.update(
          (jar + "|" + Files.size(jar) + "|" + Files.getLastModifiedTime(jar).toMillis() + "\n")
              .getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }

  private static Path pack(Path libDir, Path classes) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(classes)) {
      files = walk.filter(path -> !path.equals(classes)).sorted().toList();
    }
    MessageDigest digest = sha256();
    for (Path file : files) {
      digest.update(classes.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      if (Files.isRegularFile(file)) {
        digest.update(Files.readAllBytes(file));
      }
    }
    Path jar = libDir.resolve(HexFormat.of().formatHex(digest.digest(), 0, 8) + ".jar");
    if (!Files.exists(jar)) {
      Files.createDirectories(libDir);
      Path next = Files.createTempFile(libDir, "packing", ".tmp");
      try (OutputStream out = Files.newOutputStream(next);
          JarOutputStream jarOut = new JarOutputStream(out)) {
        for (Path file : files) {
          // Entries of folders too: Hadoop's web server looks for the folder webapps/hdfs.
          String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
          jarOut.putNextEntry(new JarEntry(Files.isDirectory(file) ? name + "/" : name));
          if (Files.isRegularFile(file)) {
            Files.copy(file, jarOut);
          }
          jarOut.closeEntry();
        }
      }
      Files.move(next, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return jar;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
