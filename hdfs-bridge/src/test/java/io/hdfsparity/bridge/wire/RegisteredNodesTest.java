/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class RegisteredNodesTest {
  /** What a name service says; "victim" is another node. */
  private static final Map<String, List<String>> SERVICE =
      Map.of(
          "dn1", List.of("192.0.2.7", "198.51.100.7", "2001:db8::7"),
          "dn1-data", List.of("203.0.113.7"),
          "victim", List.of("192.0.2.8"),
          "localhost", List.of("127.0.0.1", "::1"));

  private static InetAddress[] resolve(String name) throws UnknownHostException {
    List<String> found = SERVICE.get(name);
    if (found == null) {
      throw new UnknownHostException(name);
    }
    InetAddress[] addresses = new InetAddress[found.size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = InetAddress.getByName(found.get(i));
    }
    return addresses;
  }

  private static void require(String caller, String registered, String... names)
      throws AccessControlException, UnknownHostException {
    RegisteredNodes.requireAt(
        InetAddress.getByName(caller),
        "u",
        registered,
        List.of(names),
        RegisteredNodesTest::resolve);
  }

  private static void assertAllowed(String caller, String registered, String... names) {
    assertThatCode(() -> require(caller, registered, names)).doesNotThrowAnyException();
  }

  private static void assertRefused(String caller, String registered, String... names) {
    assertThatThrownBy(() -> require(caller, registered, names))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("expected " + registered)
        .hasMessageContaining("uuid=u");
  }

  @Test
  void aReportComesFromTheAddressOfItsNode() {
    assertAllowed("192.0.2.7", "192.0.2.7");
    for (String other : new String[] {"192.0.2.8", "127.0.0.1", "", "host.invalid"}) {
      assertRefused("192.0.2.7", other);
    }
    assertRefused("127.0.0.1", "192.0.2.7");
  }

  @Test
  void aCallInsideTheProcessComesFromNowhere() {
    assertThatCode(() -> RegisteredNodes.requireCallerAt("u", "192.0.2.7", List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void addressesAreComparedNotTheirTexts() {
    assertAllowed("::ffff:192.0.2.7", "192.0.2.7");
    assertAllowed("192.0.2.7", "::ffff:192.0.2.7");
    assertAllowed("2001:db8::7", "2001:DB8:0:0:0:0:0:7");
    assertRefused("2001:db8::8", "2001:db8::7");
  }

  @Test
  void theHostOfTheNameNodeHasSeveralAddresses() {
    assertAllowed("127.0.0.2", "127.0.0.1");
    assertAllowed("::1", "127.0.0.1");
  }

  @Test
  void aNodeWithSeveralNetworksReportsFromAnyOfThem() {
    assertAllowed("198.51.100.7", "192.0.2.7", "dn1");
    assertAllowed("2001:db8::7", "192.0.2.7", "dn1");
    assertAllowed("203.0.113.7", "192.0.2.7", "unknown", "dn1-data");
    assertRefused("198.51.100.8", "192.0.2.7", "dn1", "dn1-data");
    assertRefused("192.0.2.8", "192.0.2.7", "dn1");
    assertRefused("198.51.100.7", "192.0.2.7", "unknown", "");
  }

  /** A node may call itself what it likes: it stays where it is when it reports for another. */
  @Test
  void noNameLetsANodeReportForAnother() {
    // The attacker, at .9, has registered as "victim"; the victim's own registration counts.
    assertRefused("192.0.2.9", "192.0.2.8", "victim");
    // A process on the NameNode's host is not a node that calls itself localhost.
    assertRefused("127.0.0.1", "192.0.2.7", "localhost");
    assertRefused("::1", "192.0.2.7", "localhost");
  }
}
