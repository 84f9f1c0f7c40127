/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates of a server, from a directory with the file names that QEMU and libnbd use. Clients
 * have to show a certificate too. Immutable.
 */
public final class TlsIdentity {
  /** Who signs the certificates of clients. */
  static final String CA = "ca-cert.pem";

  static final String CERTIFICATE = "server-cert.pem";

  /** In PKCS #8, not encrypted. */
  static final String KEY = "server-key.pem";

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;

  private TlsIdentity(SSLContext context) {
    this.context = context;
  }

  /**
   * Reads ca-cert.pem, server-cert.pem and server-key.pem.
   *
   * @throws IOException if one is missing, or not what it should be
   */
  public static TlsIdentity of(Path directory) throws IOException {
    List<Certificate> chain = certificates(directory.resolve(CERTIFICATE));
    PrivateKey key = privateKey(directory.resolve(KEY));
    List<Certificate> authorities = certificates(directory.resolve(CA));
    try {
      KeyStore own = empty();
      own.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      KeyStore trusted = empty();
      for (Certificate each : authorities) {
        trusted.setCertificateEntry("ca" + trusted.size(), each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new TlsIdentity(context);
    } catch (GeneralSecurityException e) {
      throw unusable(directory, "certificates and a key that belong together", e);
    }
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static List<Certificate> certificates(Path file) throws IOException {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (!all.isEmpty()) {
        return new ArrayList<>(all);
      }
    } catch (GeneralSecurityException e) {
      throw unusable(file, "X.509 certificates in PEM", e);
    }
    throw unusable(file, "X.509 certificates in PEM", new GeneralSecurityException("none"));
  }

  private static PrivateKey privateKey(Path file) throws IOException {
    Matcher pem = PRIVATE_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    String rule = "a private key in PKCS #8, not encrypted: see openssl pkcs8 -topk8 -nocrypt";
    if (!pem.find()) {
      throw unusable(file, rule, new GeneralSecurityException("no PRIVATE KEY"));
    }
    PKCS8EncodedKeySpec bytes =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
    GeneralSecurityException last = new GeneralSecurityException("unknown algorithm");
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(bytes);
      } catch (InvalidKeySpecException e) {
        last = e; // it is of another algorithm
      } catch (GeneralSecurityException e) {
        throw unusable(file, rule, e);
      }
    }
    throw unusable(file, rule, last);
  }

  private static IOException unusable(Path file, String rule, GeneralSecurityException why) {
    return new IOException(
        ErrorMessage.to("offer TLS").value("file", file).expected(rule).message(), why);
  }

  /** Lays TLS over a connection, as its server; the handshake has still to be made. */
  SSLSocket secure(Socket socket) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    socket,
                    socket.getInetAddress().getHostAddress(),
                    socket.getPort(),
                    /* autoClose= */ true);
    secured.setUseClientMode(false);
    secured.setNeedClientAuth(true);
    secured.setEnabledProtocols(PROTOCOLS);
    return secured;
  }
}
