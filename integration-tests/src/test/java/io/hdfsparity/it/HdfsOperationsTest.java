/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations of HDFS on each kind of file, on a cluster with all features. */
@Tag("full")
@Timeout(600)
class HdfsOperationsTest {
  private static final int NODES = 7;
  private static final int LENGTH = AllFeatures.LENGTH;
  private static final UserGroupInformation READER =
      UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});

  @TempDir static Path root;
  private static AllFeatures all;
  private static DistributedFileSystem stock;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> keys =
        Map.of(
            CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
            JavaKeyStoreProvider.SCHEME_NAME + "://file" + root.resolve("keys.jceks"));
    Configuration provider = new Configuration(false);
    keys.forEach(provider::set);
    makeKey(provider);
    all = AllFeatures.start(root, NODES, keys);
    stock = all.stock();
  }

  private static void makeKey(Configuration servers) throws Exception {
    KeyProvider keys = KeyProviderFactory.getProviders(servers).get(0);
    keys.createKey("zone", KeyProvider.options(servers).setBitLength(128));
    keys.flush();
  }

  @AfterAll
  static void stop() throws Exception {
    if (all != null) {
      all.close();
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  @Test
  void truncate() throws Exception {
    byte[] bytes = all.write("/code/truncate", LENGTH);
    assertThatThrownBy(() -> stock.truncate(path("/code/truncate"), LENGTH / 2))
        .hasMessageContaining("Cannot truncate file with striped block");
    try (StripedFileUpdater updater = all.open("/code/truncate")) {
      assertThatThrownBy(() -> stock.truncate(path("/code/truncate"), LENGTH / 2))
          .hasMessageContaining("Cannot truncate file with striped block");
      MiniUpdates.writeSome(updater, bytes, 1);
    }
    all.assertReads("/code/truncate", bytes);
  }

  @Test
  void hflush() throws Exception {
    byte[] bytes = MiniLevels.bytes(LENGTH, 1);
    try (FileSystem parity = all.parity()) {
      for (FileSystem each : new FileSystem[] {stock, parity}) {
        try (FSDataOutputStream out = each.create(path("/code/flush"))) {
          // As of every erasure-coded file: nothing is written before a stripe is full.
          assertThat(out.hasCapability(StreamCapabilities.HFLUSH)).isFalse();
          assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isFalse();
          out.write(bytes, 0, 1000);
          out.hflush();
          out.hsync();
          out.write(bytes, 1000, LENGTH - 1000);
        }
        all.assertReads("/code/flush", bytes);
      }
    }
  }

  /** Files of which each ends in the middle of a block group, in one. */
  private static byte[] concat(String directory) throws IOException {
    List<org.apache.hadoop.fs.Path> parts = new ArrayList<>();
    ByteBuffer whole = ByteBuffer.allocate(3 * LENGTH);
    for (int part = 0; part < 3; part++) {
      whole.put(all.write(directory + "/part" + part, LENGTH - part * 7_777));
      parts.add(path(directory + "/part" + part));
    }
    stock.concat(
        parts.get(0), parts.subList(1, parts.size()).toArray(org.apache.hadoop.fs.Path[]::new));
    return Arrays.copyOf(whole.array(), whole.position());
  }

  private static void makeDirectory(String name, String policy) throws IOException {
    MiniLevels.makeDirectory(stock, name, policy);
  }

  @Test
  void concatOfFilesWithLevels() throws Exception {
    makeDirectory("/concat-level", MiniLevels.policy("rs", 1));
    byte[] bytes = concat("/concat-level");
    all.assertReads("/concat-level/part0", bytes);
    for (int level : new int[] {3, 2}) {
      all.setLevel("/concat-level/part0", level);
      all.assertReads("/concat-level/part0", bytes);
      assertThat(MiniLevels.policyOf(stock, "/concat-level/part0")).contains("-4-" + level + "-");
    }
  }

  @Test
  void concatOfFilesThatAreUpdated() throws Exception {
    makeDirectory("/concat-update", MiniLevels.policy("rs", 2));
    byte[] bytes = concat("/concat-update");
    for (int round = 0; round < 3; round++) {
      try (StripedFileUpdater updater = all.open("/concat-update/part0")) {
        MiniUpdates.writeSome(updater, bytes, round);
      }
      all.assertReads("/concat-update/part0", bytes);
    }
  }

  @Test
  void concatOfFilesThatAreReordered() throws Exception {
    makeDirectory("/concat-order", MiniCaso.POLICY);
    byte[] bytes = concat("/concat-order");
    all.caso("-organize", "/concat-order/part0", "-trace", MiniCaso.trace(root, 0));
    all.assertParityReads("/concat-order/part0", bytes);
    all.caso("-restore", "/concat-order/part0");
    all.assertReads("/concat-order/part0", bytes);
  }

  /** A file of its owner alone, and of a user by an entry of its list. */
  private static void share(String name) throws IOException {
    stock.setPermission(path(name), new FsPermission((short) 0600));
    stock.modifyAclEntries(path(name), AclEntry.parseAclSpec("user:reader:rw-", true));
  }

  private static <T> T asReader(PrivilegedExceptionAction<T> action) throws Exception {
    return READER.doAs(action);
  }

  private static byte[] readAsReader(String name) throws Exception {
    return asReader(
        () -> {
          try (FileSystem parity = all.parity();
              FSDataInputStream in = parity.open(path(name))) {
            return in.readAllBytes();
          }
        });
  }

  @Test
  void aclsOfProtectedFiles() throws Exception {
    byte[] bytes = all.write("/pair/acl", LENGTH);
    share("/pair/acl");
    assertThat(readAsReader("/pair/acl")).isEqualTo(bytes);
    stock.removeAcl(path("/pair/acl"));
    assertThatThrownBy(() -> readAsReader("/pair/acl")).hasMessageContaining("Permission denied");
  }

  @Test
  void aclsOfFilesThatAreUpdated() throws Exception {
    byte[] bytes = all.write("/code/acl", LENGTH);
    MiniLevels.awaitUnits(stock, "/code/acl", 2);
    stock.setPermission(path("/code/acl"), new FsPermission((short) 0600));
    assertThatThrownBy(() -> openAsReader("/code/acl")).hasMessageContaining("Permission denied");
    share("/code/acl");
    try (StripedFileUpdater updater = openAsReader("/code/acl")) {
      MiniUpdates.writeSome(updater, bytes, 1);
    }
    all.assertReads("/code/acl", bytes);
    assertThat(readAsReader("/code/acl")).isEqualTo(bytes);
  }

  private static StripedFileUpdater openAsReader(String name) throws Exception {
    return asReader(
        () ->
            FileUpdates.open(
                FileSystem.newInstance(stock.getUri(), all.conf()),
                path(name),
                UpdaterOptions.standard()));
  }

  @Test
  void aclsOfReorderedFiles() throws Exception {
    byte[] bytes = MiniLevels.bytes(MiniCaso.LENGTH, 2);
    MiniLevels.write(stock, "/order/acl", bytes);
    share("/order/acl");
    var before = stock.getAclStatus(path("/order/acl"));
    all.caso("-organize", "/order/acl", "-trace", MiniCaso.trace(root, 0));
    assertThat(stock.getAclStatus(path("/order/acl"))).isEqualTo(before);
    assertThat(readAsReader("/order/acl")).isEqualTo(bytes);
    all.caso("-restore", "/order/acl");
    assertThat(stock.getAclStatus(path("/order/acl"))).isEqualTo(before);
    all.assertReads("/order/acl", bytes);
  }

  @Test
  void encryptedProtectedFiles() throws Exception {
    stock.mkdirs(path("/pair/zone"));
    stock.createEncryptionZone(path("/pair/zone"), "zone");
    byte[] bytes = all.write("/pair/zone/f", LENGTH);
    all.assertReads("/pair/zone/f", bytes);
    assertThat(stock.getClient().getFileInfo("/pair/zone/f").getFileEncryptionInfo()).isNotNull();
    try (FSDataOutputStream out = stock.append(path("/pair/zone/f"))) {
      out.write(bytes, 0, 1000);
    }
    byte[] longer = Arrays.copyOf(bytes, LENGTH + 1000);
    System.arraycopy(bytes, 0, longer, LENGTH, 1000);
    all.assertReads("/pair/zone/f", longer);
  }
}
