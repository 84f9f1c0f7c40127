/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static io.hdfsparity.ecupdate.nbd.RawClient.hex;
import static io.hdfsparity.ecupdate.nbd.RawClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where clients come from: TCP, TLS and Unix domain sockets. */
@Timeout(120)
class AcceptorsTest {
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final int TLS_REQD = 0x80000005;
  private static final int INVALID = 0x80000003;

  @TempDir Path folder;

  /** A key with a certificate that it has signed itself. */
  private KeyStore identity(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).as(Files.readString(folder.resolve(name + ".log"))).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  private TlsIdentity server(KeyStore own, KeyStore clients) throws Exception {
    Files.writeString(
        folder.resolve(TlsIdentity.CERTIFICATE),
        pem("CERTIFICATE", own.getCertificate("key").getEncoded()));
    Files.writeString(
        folder.resolve(TlsIdentity.KEY),
        pem("PRIVATE KEY", own.getKey("key", PASSWORD).getEncoded()));
    Files.writeString(
        folder.resolve(TlsIdentity.CA),
        pem("CERTIFICATE", clients.getCertificate("key").getEncoded()));
    return TlsIdentity.of(folder);
  }

  private static SSLSocket secure(RawClient client, KeyStore own, Certificate trusted)
      throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, PASSWORD);
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, PASSWORD);
    known.setCertificateEntry("server", trusted);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(client.plain(), "127.0.0.1", 0, true);
  }

  @Test
  void tlsIsRequiredAndBothSidesShowACertificate() throws Exception {
    KeyStore own = identity("server");
    KeyStore clientKey = identity("client");
    KeyStore stranger = identity("stranger");
    ServerLimits limits = ServedMemory.limits(20_000);
    try (ServedMemory memory = new ServedMemory(limits, Optional.of(server(own, clientKey)))) {
      try (RawClient client = memory.client()) {
        client.greet();
        for (int option : new int[] {3, 6, 7, 8, 10}) {
          client.option(option, "");
          assertThat(client.reply(option)).as("option %d", option).isEqualTo(TLS_REQD);
        }
        client.option(5, "");
        assertThat(client.reply(5)).isEqualTo(1);
        SSLSocket secured = secure(client, clientKey, own.getCertificate("key"));
        client.use(secured);
        client.option(5, "");
        assertThat(client.reply(5)).isEqualTo(INVALID);
        client.option(7, hex(5, 4) + text("/disk") + "0000");
        assertThat(client.reply(7)).isEqualTo(3);
        assertThat(client.reply(7)).isEqualTo(1);
        client.write(1, 1, 10, new byte[] {1, 2, 3});
        client.expectSimple(0, 1);
        assertThat(memory.disk.durable()[12]).isEqualTo((byte) 3);
      }
      try (RawClient inClear = memory.client()) {
        inClear.greet();
        inClear.option(1, text("/disk"));
        inClear.expectEnd();
      }
      try (RawClient other = memory.client()) {
        other.greet();
        other.option(5, "");
        assertThat(other.reply(5)).isEqualTo(1);
        SSLSocket secured = secure(other, stranger, own.getCertificate("key"));
        assertThatThrownBy(
                () -> {
                  other.use(secured);
                  other.option(3, "");
                  other.reply(3);
                })
            .isInstanceOfAny(SSLException.class, java.net.SocketException.class);
      }
      try (RawClient injected = memory.client()) {
        injected.greet();
        // What came behind STARTTLS in clear is not taken for the client's.
        injected.send(
            RawClient.OPTION + "00000005 00000000" + RawClient.OPTION + "00000003 00000000");
        injected.expectEnd();
      }
    }
  }

  @Test
  void certificatesThatCannotBeUsedAreRefusedByName() throws Exception {
    KeyStore own = identity("server");
    server(own, own);
    Files.writeString(
        folder.resolve(TlsIdentity.KEY), pem("RSA PRIVATE KEY", BigInteger.TEN.toByteArray()));
    assertThatThrownBy(() -> TlsIdentity.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("server-key.pem")
        .hasMessageContaining("openssl pkcs8");
    Files.writeString(folder.resolve(TlsIdentity.CERTIFICATE), "nothing");
    assertThatThrownBy(() -> TlsIdentity.of(folder)).hasMessageContaining("server-cert.pem");
  }

  @Test
  void theNetworkIsServedOverTlsOnly() {
    assertThatThrownBy(
            () -> TcpAcceptor.listen(new InetSocketAddress("0.0.0.0", 0), Optional.empty()))
        .hasMessageContaining("without TLS a loopback address");
  }

  @Test
  void aUnixSocketIsItsOwnersAndGoesWithTheServer() throws Exception {
    Path path = folder.resolve("socket");
    MemoryExport disk = new MemoryExport(100_000);
    try (NbdServer server =
        new NbdServer(
            new ExportCatalog(
                List.of(ServedExport.of("disk", "", disk, ServedExport.Access.READ_WRITE))),
            UnixAcceptor.listen(path),
            ServerLimits.standard())) {
      server.start();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-------");
      assertThatThrownBy(() -> UnixAcceptor.listen(path)).hasMessageContaining("no server listens");
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(UnixDomainSocketAddress.of(path));
        channel.write(
            ByteBuffer.wrap(RawClient.bytes("00000003" + RawClient.OPTION + "00000001 00000000")));
        channel.write(
            ByteBuffer.wrap(
                RawClient.bytes(
                    RawClient.REQUEST + "0001 0001" + hex(5, 8) + hex(7, 8) + hex(2, 4) + "abcd")));
        ByteBuffer answers = ByteBuffer.allocate(18 + 10 + 16);
        while (answers.hasRemaining() && channel.read(answers) >= 0) {
          assertThat(channel.isOpen()).isTrue();
        }
        assertThat(answers.hasRemaining()).isFalse();
        assertThat(answers.getLong(36)).isEqualTo(5);
        assertThat(disk.durable()[7]).isEqualTo((byte) 0xab);
      }
    }
    assertThat(path).doesNotExist();
  }

  /** The JDK keeps a direct buffer of the longest transfer of each thread. */
  @Test
  void aUnixSocketPinsLittleMemoryForALongWrite() throws Exception {
    Path path = folder.resolve("long");
    int length = 16 << 20;
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    try (NbdServer server =
        new NbdServer(
            new ExportCatalog(
                List.of(
                    ServedExport.of(
                        "disk", "", new MemoryExport(length), ServedExport.Access.READ_WRITE))),
            UnixAcceptor.listen(path),
            ServerLimits.standard())) {
      server.start();
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(UnixDomainSocketAddress.of(path));
        channel.write(
            ByteBuffer.wrap(RawClient.bytes("00000003" + RawClient.OPTION + "00000001 00000000")));
        long beforeBytes = direct.getMemoryUsed();
        channel.write(
            ByteBuffer.wrap(
                RawClient.bytes(
                    RawClient.REQUEST + "0000 0001" + hex(5, 8) + hex(0, 8) + hex(length, 4))));
        ByteBuffer piece = ByteBuffer.allocate(1 << 16);
        for (int at = 0; at < length; at += piece.capacity()) {
          piece.clear();
          while (piece.hasRemaining()) {
            channel.write(piece);
          }
        }
        ByteBuffer answers = ByteBuffer.allocate(18 + 10 + 16);
        while (answers.hasRemaining() && channel.read(answers) >= 0) {
          assertThat(channel.isOpen()).isTrue();
        }
        assertThat(direct.getMemoryUsed() - beforeBytes).isLessThan(1 << 20);
      }
    }
  }

  /** Two that are started together have both found the path free. */
  @Test
  void aServerThatBeginsMeanwhileKeepsItsUnixSocket() throws Exception {
    Path path = folder.resolve("both");
    List<UnixAcceptor> first = new ArrayList<>();
    assertThatThrownBy(
            () ->
                UnixAcceptor.listen(
                    path,
                    (channel, at) -> {
                      channel.bind(UnixDomainSocketAddress.of(at));
                      first.add(UnixAcceptor.listen(path));
                    }))
        .hasMessageContaining("no other server begins");
    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      first.get(0).accept().close();
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("nothing of the second one").containsExactly(path);
    }
    first.get(0).close();
    assertThat(path).doesNotExist();
  }

  /** Whatever the umask: the file is bound as if it were 000. */
  @Test
  void nobodyElseReachesAUnixSocketBeforeItsModeIsSet() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path path = shared.resolve("socket");
    UnixAcceptor acceptor =
        UnixAcceptor.listen(
            path,
            (channel, at) -> {
              channel.bind(UnixDomainSocketAddress.of(at));
              Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxrwxrwx"));
              assertThat(at.getParent()).isNotEqualTo(shared);
              assertThat(
                      PosixFilePermissions.toString(Files.getPosixFilePermissions(at.getParent())))
                  .isEqualTo("rwx------");
            });
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(shared.toFile().list()).containsExactly("socket");
    acceptor.close();
    assertThat(shared).isEmptyDirectory();
    assertThatThrownBy(
            () ->
                UnixAcceptor.listen(
                    path,
                    (channel, at) -> {
                      throw new IOException("no");
                    }))
        .hasMessage("no");
    assertThat(shared).isEmptyDirectory();
  }

  @Test
  void theSocketOfAServerThatHasDiedIsReplacedAndNoOtherFile() throws Exception {
    Path path = folder.resolve("socket");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(Files.exists(path)).isTrue();
    UnixAcceptor.listen(path).close();
    try (OutputStream out = Files.newOutputStream(path)) {
      out.write(1);
    }
    assertThatThrownBy(() -> UnixAcceptor.listen(path)).hasMessageContaining("a path that is free");
    assertThat(Files.size(path)).isEqualTo(1);
  }
}
