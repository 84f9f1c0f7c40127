/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** A server of devices in memory: "/disk", which is writable, and "/image", which is not. */
final class ServedMemory implements Closeable {
  static final int SIZE_BYTES = 1_000_000;
  static final int MAX_PAYLOAD_BYTES = 1 << 18;

  final MemoryExport disk = new MemoryExport(SIZE_BYTES);
  final MemoryExport image = new MemoryExport(4096);
  final ServedExport served =
      ServedExport.of("/disk", "a disk", disk, ServedExport.Access.READ_WRITE);
  final NbdServer server;
  private final TcpAcceptor acceptor;

  ServedMemory() throws IOException {
    this(limits(20_000));
  }

  /** Memory for two requests of the largest size to each device, each of another connection. */
  static ServerLimits limits(long stallMs) {
    int allBytes = 2 * 2 * MAX_PAYLOAD_BYTES;
    return new ServerLimits(
        8, 4, MAX_PAYLOAD_BYTES, allBytes, MAX_PAYLOAD_BYTES, 20_000, stallMs, 20_000);
  }

  ServedMemory(ServerLimits limits) throws IOException {
    this(limits, Optional.empty());
  }

  ServedMemory(ServerLimits limits, Optional<TlsIdentity> tls) throws IOException {
    this(limits, tls, Faults.none());
  }

  /**
   * A server to which things happen.
   *
   * @param faults which things
   */
  ServedMemory(Faults faults) throws IOException {
    this(limits(20_000), Optional.empty(), faults);
  }

  private ServedMemory(ServerLimits limits, Optional<TlsIdentity> tls, Faults faults)
      throws IOException {
    acceptor = TcpAcceptor.listen(new InetSocketAddress("127.0.0.1", 0), tls);
    server =
        new NbdServer(
            new ExportCatalog(
                List.of(
                    served, ServedExport.of("/image", "", image, ServedExport.Access.READ_ONLY))),
            faults.on(acceptor),
            limits,
            faults::thread);
    server.start();
  }

  RawClient client() throws IOException {
    return new RawClient(acceptor.port());
  }

  int port() {
    return acceptor.port();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
