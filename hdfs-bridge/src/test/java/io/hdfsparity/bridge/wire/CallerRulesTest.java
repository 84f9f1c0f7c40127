/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallerRulesTest {
  private final Configuration conf = new Configuration(false);

  @AfterEach
  void reset() {
    System.clearProperty("java.security.krb5.realm");
    System.clearProperty("java.security.krb5.kdc");
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration(false));
  }

  private static UserGroupInformation user(String name, String... groups) {
    return UserGroupInformation.createUserForTesting(name, groups);
  }

  private Set<Caller> allowed(UserGroupInformation user) throws IOException {
    CallerRules rules = CallerRules.of(conf);
    Set<Caller> allowed = EnumSet.noneOf(Caller.class);
    for (Caller who : Caller.values()) {
      try {
        rules.check(user, who, "call a method");
        allowed.add(who);
      } catch (AccessControlException e) {
        assertThat(e)
            .hasMessageStartingWith("Cannot call a method: user=" + user.getShortUserName())
            .hasMessageContaining(", expected ");
      }
    }
    return allowed;
  }

  @Test
  void withoutKerberosNamesAndTheSupergroupCount() throws IOException {
    String self = UserGroupInformation.getLoginUser().getShortUserName();
    assertThat(allowed(user(self, "any"))).containsExactlyInAnyOrder(Caller.values());
    assertThat(allowed(user("dn", "supergroup"))).containsExactlyInAnyOrder(Caller.values());
    assertThat(allowed(user("mallory", "people"))).containsExactly(Caller.USERS);
    conf.set("dfs.cluster.administrators", "alice ops");
    assertThat(allowed(user("alice", "people")))
        .containsExactlyInAnyOrder(Caller.USERS, Caller.ADMINISTRATORS);
    assertThat(allowed(user("bob", "ops")))
        .containsExactlyInAnyOrder(Caller.USERS, Caller.ADMINISTRATORS);
    conf.setBoolean("dfs.permissions.enabled", false);
    assertThat(allowed(user("mallory", "people")))
        .as("as HDFS has it")
        .containsExactlyInAnyOrder(Caller.USERS, Caller.ADMINISTRATORS, Caller.SUPERUSERS);
  }

  @Test
  void withKerberosPrincipalsCount() throws IOException {
    System.setProperty("java.security.krb5.realm", "EXAMPLE.COM");
    System.setProperty("java.security.krb5.kdc", "localhost");
    Configuration secure = new Configuration(false);
    secure.set("hadoop.security.authentication", "kerberos");
    secure.set("hadoop.security.auth_to_local", "RULE:[2:$1@$0](.*@EXAMPLE.COM)s/@.*// DEFAULT");
    UserGroupInformation.setConfiguration(secure);
    UserGroupInformation.setLoginUser(UserGroupInformation.createRemoteUser("root"));
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST@EXAMPLE.COM");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
    assertThat(allowed(user("dn")))
        .containsExactlyInAnyOrder(Caller.USERS, Caller.DATANODES, Caller.DAEMONS);
    assertThat(allowed(user("nn"))).containsExactlyInAnyOrder(Caller.USERS, Caller.DAEMONS);
    assertThat(allowed(user("mallory", "supergroup")))
        .as("a superuser is no daemon")
        .containsExactlyInAnyOrder(Caller.USERS, Caller.ADMINISTRATORS, Caller.SUPERUSERS);
  }

  /** The name in it is that of whoever located the block: a superuser, say. */
  @Test
  void aBlockTokenIsForCallsOfAnyUserOnly() throws IOException {
    UserGroupInformation reader =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getLoginUser().getShortUserName());
    reader.addTokenIdentifier(new BlockTokenIdentifier());
    assertThat(allowed(reader)).containsExactly(Caller.USERS);
    conf.setBoolean("dfs.permissions.enabled", false);
    assertThat(allowed(reader)).containsExactly(Caller.USERS);
  }

  @Test
  void whoServesNoRpcMayNothing() throws IOException {
    CallerRules rules = CallerRules.of(conf);
    for (Caller who : Caller.values()) {
      assertThatThrownBy(() -> rules.check(who, "call"))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("user=none");
    }
  }
}
