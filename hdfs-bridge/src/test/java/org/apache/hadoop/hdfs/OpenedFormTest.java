/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.GroupForms.Form;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a stream takes for blocks of its file, when namespaces have the same ids. */
class OpenedFormTest {
  private static final long GROUP = -9223372036854775792L;
  private static final long NEXT = GROUP + 16;
  private static final ErasureCodingPolicy RS =
      SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.RS_3_2_POLICY_ID);
  private static final ErasureCodingPolicy XOR =
      SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.XOR_2_1_POLICY_ID);

  private final GroupForms forms = new GroupForms();
  private DFSClient client;

  @BeforeEach
  void connectToNobody() throws IOException {
    // It asks nobody: all forms are known.
    client = new DFSClient(URI.create("hdfs://127.0.0.1:1"), new Configuration(false));
  }

  @AfterEach
  void close() throws IOException {
    client.close();
  }

  private static LocatedStripedBlock group(String pool, long id) {
    return new LocatedStripedBlock(
        new ExtendedBlock(pool, id, 1000, 7),
        new DatanodeInfoWithStorage[0],
        new String[0],
        new StorageType[0],
        new byte[0],
        /* startOffset= */ 0,
        /* corrupt= */ false,
        new DatanodeInfo[0]);
  }

  private static LocatedBlock unit(String pool, long id) {
    return new LocatedBlock(
        new ExtendedBlock(pool, id + 1, 100, 7),
        new DatanodeInfoWithStorage[0],
        new String[0],
        new StorageType[0],
        /* startOffset= */ 0,
        /* corrupt= */ false,
        new DatanodeInfo[0]);
  }

  private LocatedBlocks answer(ErasureCodingPolicy policy, LocatedStripedBlock... groups) {
    return encrypted(null, policy, groups);
  }

  /** An encrypted file by the version of its zone's key, and its own vector. */
  private static FileEncryptionInfo encryption(int keyVersion, int vector) {
    byte[] key = new byte[16];
    Arrays.fill(key, (byte) keyVersion);
    byte[] iv = new byte[16];
    Arrays.fill(iv, (byte) vector);
    return new FileEncryptionInfo(
        CipherSuite.AES_CTR_NOPADDING,
        CryptoProtocolVersion.ENCRYPTION_ZONES,
        key,
        iv,
        "key",
        "key@" + keyVersion);
  }

  private LocatedBlocks encrypted(
      @Nullable FileEncryptionInfo encryption,
      ErasureCodingPolicy policy,
      LocatedStripedBlock... groups) {
    LocatedBlocks answer =
        new LocatedBlocks(
            1000L * groups.length,
            /* isUnderConstuction= */ false,
            List.of(groups),
            groups[groups.length - 1],
            /* isLastBlockComplete= */ true,
            encryption,
            policy);
    forms.note(answer);
    return answer;
  }

  @Test
  void groupsOfTwoPoolsWithOneIdHaveTheirOwnForms() {
    answer(RS, group("first", GROUP));
    answer(XOR, group("second", GROUP));
    assertThat(forms.of(new BlockName("first", GROUP))).contains(Form.of(RS));
    assertThat(forms.of(new BlockName("second", GROUP))).contains(Form.of(XOR));
  }

  @Test
  void aGroupOfAnotherPoolIsNotOfTheFileThoughItHasTheForm() throws IOException {
    OpenedForm form = new OpenedForm(client, forms, "/file", answer(RS, group("first", GROUP)));
    answer(RS, group("first", NEXT));
    answer(RS, group("second", NEXT));
    LocatedStripedBlock next = group("first", NEXT);
    assertThat(form.require(next)).isSameAs(next);
    assertThat(form.isOf(unit("first", NEXT))).isTrue();
    assertThat(StripedBlockUtil.getBlockIndex(unit("first", NEXT).getBlock().getLocalBlock()))
        .isEqualTo((byte) 1);
    assertThat(form.isOf(unit("second", NEXT))).isFalse();
    assertThatThrownBy(() -> form.require(group("second", NEXT)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("blockPool=second, expected first")
        .hasMessageContaining("Router");
  }

  @Test
  void aBoundStreamTakesNoGroupButThoseThatItWasOpenedWith() throws IOException {
    OpenedForm form =
        new OpenedForm(
            client,
            forms,
            "/file",
            answer(RS, group("first", GROUP), group("first", NEXT)),
            /* isBound= */ true);
    answer(RS, group("first", NEXT + 16));
    assertThat(form.isOf(unit("first", GROUP))).isTrue();
    assertThat(form.isOf(unit("first", NEXT))).isTrue();
    assertThat(form.isOf(unit("first", NEXT + 16))).isFalse();
    assertThatThrownBy(() -> form.require(group("first", NEXT + 16)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another block group")
        .hasMessageContaining("open it again");
  }

  @Test
  void aGroupOfAnotherEncryptedFileIsNotOfTheFileThoughItHasTheForm() throws IOException {
    OpenedForm form =
        new OpenedForm(
            client, forms, "/zone/file", encrypted(encryption(1, 1), RS, group("first", GROUP)));
    encrypted(encryption(1, 2), RS, group("first", NEXT));
    assertThat(form.isOf(unit("first", GROUP))).isTrue();
    assertThat(form.isOf(unit("first", NEXT))).isFalse();
    assertThatThrownBy(() -> form.require(group("first", NEXT)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another file")
        .hasMessageContaining("open it again");
  }

  @Test
  void aFileWhoseKeyWasEncryptedAgainIsTheSame() throws IOException {
    OpenedForm form =
        new OpenedForm(
            client, forms, "/zone/file", encrypted(encryption(1, 1), RS, group("first", GROUP)));
    encrypted(encryption(2, 1), RS, group("first", NEXT));
    LocatedStripedBlock next = group("first", NEXT);
    assertThat(form.require(next)).isSameAs(next);
  }

  /** As when a client reads a file, and below /.reserved/raw too. */
  @Test
  void aFileIsTheSameByItsPathAndByItsRawPath() throws IOException {
    OpenedForm form =
        new OpenedForm(
            client, forms, "/zone/file", encrypted(encryption(1, 1), RS, group("first", GROUP)));
    OpenedForm raw =
        new OpenedForm(
            client, forms, "/.reserved/raw/zone/file", answer(RS, group("first", GROUP)));
    LocatedStripedBlock group = group("first", GROUP);
    assertThat(form.require(group)).isSameAs(group);
    assertThat(raw.require(group)).isSameAs(group);
  }
}
