/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityFs;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.FeatureClient;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientFeaturesTest {
  private static final ErasureCodingPolicy POLICY =
      new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 4096);

  /** Nothing listens there: a client asks the NameNode at its first call only. */
  private static final URI NAMENODE = URI.create("hdfs://127.0.0.1:1");

  @TempDir Path folder;

  private static class Named implements ClientFeature {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }
  }

  /** Claims all files. */
  private static final class Reading extends Named implements GroupReader {
    Reading(String name) {
      super(name);
    }

    @Override
    public Optional<String> ability() {
      return Optional.of("reads." + name());
    }

    @Override
    public Optional<GroupReader> readerFor(ErasureCodingPolicy policy) {
      return Optional.of(this);
    }

    @Override
    public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target) {
      throw new UnsupportedOperationException();
    }
  }

  /** Found by ServiceLoader, and cannot be made. */
  public static final class Broken extends Named {
    public Broken() {
      super("broken");
      throw new NoClassDefFoundError("of another jar");
    }
  }

  /** Found by ServiceLoader. */
  public static final class Sound extends Named {
    public Sound() {
      super("sound");
    }
  }

  @Test
  void withoutFeaturesNothingIsClaimedAndNothingStated() throws IOException {
    ClientFeatures none = ClientFeatures.installed();
    assertThat(none).hasToString("[]");
    assertThat(none.abilities()).isEmpty();
    assertThat(none.readerFor(POLICY)).isEmpty();
    Configuration conf = new Configuration();
    try (DFSClient client = new FeatureClient(NAMENODE, conf, /* statistics= */ null, none)) {
      assertThat(none.orderedFiles(client)).isEmpty();
    }
  }

  @Test
  void theFirstByNameThatClaimsAFileReadsIt() throws IOException {
    Reading b = new Reading("b");
    Reading c = new Reading("c");
    ClientFeatures features = ClientFeatures.of(List.of(c, new Named("a"), b));
    assertThat(features).hasToString("[a, b, c]");
    assertThat(features.readerFor(POLICY)).containsSame(b);
    assertThat(features.abilities()).containsExactly("reads.b", "reads.c");
  }

  private ClassLoader listing(Class<?> feature) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(ClientFeature.class.getName()), feature.getName());
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
  }

  @Test
  void aFeatureIsFoundByItsServiceFile() throws IOException {
    assertThat(ClientFeatures.load(listing(Sound.class))).hasToString("[sound]");
  }

  @Test
  void aFeatureThatCannotBeLoadedIsAnErrorThatNamesIt() throws IOException {
    ClassLoader loader = listing(Broken.class);
    assertThatThrownBy(() -> ClientFeatures.load(loader))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot use the features of this client")
        .hasMessageContaining(Broken.class.getName())
        .hasRootCauseMessage("of another jar");
  }

  @Test
  void hadoopMakesBothByTheirNames() throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", "io.hdfsparity.ParityFileSystem");
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsparity.ParityFs");
    try (FileSystem fs = FileSystem.newInstance(NAMENODE, conf)) {
      assertThat(fs).isInstanceOf(ParityFileSystem.class);
      assertThat(((DistributedFileSystem) fs).getClient()).isInstanceOf(FeatureClient.class);
    }
    FileContext context = FileContext.getFileContext(NAMENODE, conf);
    assertThat(context.getDefaultFileSystem()).isInstanceOf(ParityFs.class);
    assertThat(context.getDefaultFileSystem().getUri()).isEqualTo(NAMENODE);
  }

  /**
   * Has classes of the bridge of its own, as a job's jars have where Hadoop has not the suite's.
   */
  private static final class OwnClasses extends URLClassLoader {
    OwnClasses(URL bridge) {
      super(new URL[] {bridge}, OwnClasses.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        try {
          return findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
    }
  }

  /** Else it would be Hadoop's own without a word: the override would not be one. */
  @Test
  void inAnotherClassLoaderThanHadoopsItRefusesToWork() throws Exception {
    URL bridge =
        Objects.requireNonNull(
            ParityFileSystem.class.getProtectionDomain().getCodeSource().getLocation());
    Configuration conf = new Configuration();
    try (OwnClasses loader = new OwnClasses(bridge)) {
      Class<?> type = loader.loadClass(ParityFileSystem.class.getName());
      assertThat(type).isNotEqualTo(ParityFileSystem.class);
      FileSystem fs = (FileSystem) type.getDeclaredConstructor().newInstance();
      assertThatThrownBy(() -> fs.initialize(NAMENODE, conf))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot use the suite's client")
          .hasMessageContaining("HADOOP_CLASSPATH");
      Constructor<?> twin =
          loader
              .loadClass(ParityFs.class.getName())
              .getDeclaredConstructor(URI.class, Configuration.class);
      twin.setAccessible(true);
      assertThatThrownBy(() -> twin.newInstance(NAMENODE, conf))
          .hasRootCauseInstanceOf(IOException.class)
          .rootCause()
          .hasMessageContaining("HADOOP_CLASSPATH");
    }
  }

  /** Who has the sample of clients and not the jars, or the names of an older version. */
  @Test
  void aClassThatIsNotThereIsNamed() {
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", "io.hdfsparity.caso.fs.CasoFileSystem");
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsparity.NoSuchFs");
    assertThatThrownBy(() -> FileSystem.newInstance(NAMENODE, conf))
        .hasMessageContaining("io.hdfsparity.caso.fs.CasoFileSystem not found");
    assertThatThrownBy(() -> FileContext.getFileContext(NAMENODE, conf))
        .hasStackTraceContaining("io.hdfsparity.NoSuchFs not found");
  }
}
