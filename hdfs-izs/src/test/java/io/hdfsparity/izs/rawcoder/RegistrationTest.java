/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.util.ECPolicyLoader;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.junit.jupiter.api.Test;

/** What Hadoop finds: coders by ServiceLoader, policies by the file in conf/. */
class RegistrationTest {
  private static final ErasureCoderOptions RS_6_3 = new ErasureCoderOptions(6, 3);

  @Test
  void codersAreFoundAndBehindHadoopsOwn() {
    CodecRegistry registry = CodecRegistry.getInstance();
    assertThat(registry.getCoderNames("izs")).containsExactly("izs");
    assertThat(registry.getCoderByName("rs", "rs_isal"))
        .isInstanceOf(IsalRsRawErasureCoderFactory.class);
    assertThat(registry.getCoderByName("xor", "xor_isal"))
        .isInstanceOf(IsalXorRawErasureCoderFactory.class);
    // Hadoop's default order names neither, so nothing changes for those who do not ask.
    assertThat(CodecUtil.createRawEncoder(new Configuration(), "rs", RS_6_3))
        .isNotInstanceOf(LinearRawEncoder.class);
  }

  @Test
  void configuredCoderIsUsed() {
    Configuration conf = new Configuration();
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY, "rs_isal,rs_java");
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_XOR_RAWCODERS_KEY, "xor_isal,xor_java");
    boolean isIsalHere = Kernels.table().candidates().get(0).isSupported();
    assertThat(CodecUtil.createRawEncoder(conf, "rs", RS_6_3) instanceof LinearRawEncoder)
        .isEqualTo(isIsalHere);
    assertThat(CodecUtil.createRawDecoder(conf, "rs", RS_6_3) instanceof LinearRawDecoder)
        .isEqualTo(isIsalHere);
    ErasureCoderOptions xor = new ErasureCoderOptions(2, 1);
    assertThat(CodecUtil.createRawEncoder(conf, "xor", xor) instanceof XorUnitsEncoder)
        .isEqualTo(isIsalHere);
    assertThat(CodecUtil.createRawDecoder(conf, "xor", xor) instanceof XorUnitsDecoder)
        .isEqualTo(isIsalHere);
    ErasureCoderOptions izs = new ErasureCoderOptions(4, 2);
    assertThat(CodecUtil.createRawEncoder(conf, "izs", izs)).isInstanceOf(IzsRawEncoder.class);
    assertThat(CodecUtil.createRawDecoder(conf, "izs", izs)).isInstanceOf(IzsRawDecoder.class);
  }

  private static List<ErasureCodingPolicy> policies() {
    Path root =
        Objects.requireNonNull(
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent());
    return new ECPolicyLoader().loadPolicy(root.resolve("conf/user_ec_policies.xml").toString());
  }

  @Test
  void policyFileHasEveryOfferedCode() {
    assertThat(policies().stream().map(ErasureCodingPolicy::getName))
        .containsExactlyElementsOf(
            IzsFamily.all().stream().map(ZigzagCode::name).map(name -> name + "-1024k").toList());
    for (ErasureCodingPolicy policy : policies()) {
      assertThat(IzsFamily.isOffered(policy.getNumDataUnits(), policy.getNumParityUnits()))
          .isTrue();
      // Else a repair would read more than the share that is promised.
      assertThat(
              policy.getCellSize()
                  % IzsFamily.code(policy.getNumDataUnits(), policy.getNumParityUnits()).rows())
          .isZero();
    }
  }

  @Test
  void nameNodeAcceptsThePolicies() throws Exception {
    ErasureCodingPolicyManager manager = ErasureCodingPolicyManager.getInstance();
    manager.init(new Configuration());
    for (ErasureCodingPolicy policy : policies()) {
      assertThat(manager.addPolicy(policy).getName()).isEqualTo(policy.getName());
    }
  }
}
