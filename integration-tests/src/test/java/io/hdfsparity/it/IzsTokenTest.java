/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.namenode.LevelManager;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a cluster secured by Kerberos, who has nothing but a delegation token of the file system, as a
 * task of a job has, may do with levels and copies what the owner of the token may, and no more.
 */
@Tag("full")
@Timeout(1200)
class IzsTokenTest {
  private static final int FILES = 3;

  private final Configuration conf = MiniLevels.conf();
  private MiniApply apply;

  @Test
  void aTokenOfTheFileSystemIsEnough(@TempDir Path root) throws Exception {
    File kdcDir = Files.createDirectory(root.resolve("kdc")).toFile();
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), kdcDir);
    kdc.start();
    try {
      File keytab = new File(kdcDir, "all.keytab");
      kdc.createPrincipal(keytab, "hdfs/localhost", "HTTP/localhost", "mallory");
      MiniApply.configure(conf, root, "RS", LevelManager.class);
      secure(kdc.getRealm(), keytab);
      UserGroupInformation.setConfiguration(conf);
      UserGroupInformation.loginUserFromKeytab(
          "hdfs/localhost@" + kdc.getRealm(), keytab.getPath());
      try (MiniLevels levels = MiniLevels.start(conf, root.resolve("dfs"), MiniLevels.K + 2)) {
        apply = MiniApply.on(levels.cluster(), conf);
        MiniLevels.addPolicies(apply.fs(), "rs");
        aJobCopiesByAToken(root, kdc.getRealm());
        aTokenIsNoMoreThanItsOwner(
            UserGroupInformation.loginUserFromKeytabAndReturnUGI("mallory", keytab.getPath()));
        wrongTokensAreRefused();
      }
    } finally {
      kdc.stop();
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  private void secure(String realm, File keytab) {
    conf.set("hadoop.security.authentication", "kerberos");
    for (String daemon : List.of("namenode", "datanode")) {
      conf.set("dfs." + daemon + ".kerberos.principal", "hdfs/localhost@" + realm);
      conf.set("dfs." + daemon + ".keytab.file", keytab.getPath());
    }
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + realm);
    conf.set("dfs.web.authentication.kerberos.keytab", keytab.getPath());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("dfs.data.transfer.protection", "authentication");
    // Otherwise HTTPS would be needed, which this test does not use.
    conf.setBoolean("ignore.secure.ports.for.testing", true);
  }

  /** The whole command, so that advice, swaps and maps all go by the token. */
  private void aJobCopiesByAToken(Path root, String realm) throws Exception {
    for (int i = 0; i < FILES; i++) {
      MiniLevels.write(apply.fs(), "/job/" + i, bytes(i));
    }
    apply.want("/job", "code");
    Configuration job = new Configuration(apply.conf());
    job.set("mapreduce.framework.name", "local");
    job.set("yarn.resourcemanager.principal", "yarn/localhost@" + realm);
    job.set("hadoop.tmp.dir", root.resolve("tmp").toString());
    job.set("mapreduce.cluster.local.dir", root.resolve("mapred").toString());
    UserGroupInformation user = byToken("hdfs", token(apply.fs()));
    MiniApply.Run run =
        as(user, () -> apply.apply(job, MovePoints.NONE, "/job", "-R", "-mapreduce", "-maps", "2"));
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(run.changed("REWRITE")).isEqualTo(FILES);
    for (int i = 0; i < FILES; i++) {
      assertThat(apply.form("/job/" + i)).isEqualTo("ec RS-4-1-16k");
      apply.assertBytes("/job/" + i, bytes(i));
    }
    assertThat(user.getCredentials().getAllTokens()).as("handed on to jobs").hasSize(1);
  }

  private static byte[] bytes(int file) {
    return MiniLevels.bytes(MiniLevels.GROUP_BYTES + 77 * file, file);
  }

  private void aTokenIsNoMoreThanItsOwner(UserGroupInformation mallory) throws Exception {
    UserGroupInformation user =
        as(
            mallory,
            () -> {
              try (FileSystem fs = FileSystem.newInstance(apply.conf())) {
                return byToken("mallory", token(fs));
              }
            });
    assertThatThrownBy(() -> inspect(user))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("mallory");
    assertThat(
            as(user, () -> managers().callActive(m -> m.setLevel(2, List.of("/job/0"))))
                .get(0)
                .refusal()
                .orElseThrow()
                .kind())
        .isEqualTo("not-owner");
    assertThat(MiniLevels.units(apply.fs(), "/job/0").get(0)).isEqualTo(Set.of(0, 1, 2, 3, 4));
  }

  private void wrongTokensAreRefused() throws Exception {
    Token<?> token = token(apply.fs());
    assertThatThrownBy(() -> inspect(UserGroupInformation.createRemoteUser("hdfs")))
        .as("a name alone")
        .isInstanceOf(IOException.class);
    byte[] wrong = token.getPassword().clone();
    wrong[0] ^= 1;
    UserGroupInformation forged =
        byToken(
            "hdfs",
            new Token<DelegationTokenIdentifier>(
                token.getIdentifier(), wrong, token.getKind(), token.getService()));
    assertThatThrownBy(() -> inspect(forged)).isInstanceOf(IOException.class);
    UserGroupInformation good = byToken("hdfs", token);
    inspect(good);
    token.cancel(apply.conf());
    // Another login has another connection.
    UserGroupInformation late = byToken("hdfs", token);
    assertThatThrownBy(() -> inspect(late))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("can't be found in cache");
  }

  private void inspect(UserGroupInformation user) throws Exception {
    as(user, () -> managers().swaps().inspect("/job/0"));
  }

  private LevelManagers managers() throws IOException {
    return LevelManagers.of(apply.conf(), URI.create(apply.conf().get("fs.defaultFS")));
  }

  private static Token<?> token(FileSystem fs) throws IOException {
    Token<?> token = ((DistributedFileSystem) fs).getDelegationToken("yarn");
    assertThat(token).isNotNull();
    return token;
  }

  private static UserGroupInformation byToken(String name, Token<?> token) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name, AuthMethod.TOKEN);
    user.addToken(token);
    return user;
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }
}
