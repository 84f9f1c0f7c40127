/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Clients of this machine that come by a Unix domain socket; file permissions say who may. Its file
 * is bound in a directory of mode 0700, and gets its place with mode 0600: at no time does the
 * umask decide who can connect. It is deleted by {@link #close}. Thread-safe.
 */
public final class UnixAcceptor implements Acceptor {
  private static final System.Logger LOG = System.getLogger(UnixAcceptor.class.getName());
  private static final int NAME_RANGE = 1 << 24;

  /** In one go: the JDK keeps a direct buffer of the longest one for each thread. */
  private static final int MAX_TRANSFER_BYTES = 1 << 17;

  private final Path path;
  private final ServerSocketChannel channel;

  private UnixAcceptor(Path path, ServerSocketChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Binds a channel to a path. */
  @FunctionalInterface
  interface Binding {
    void bind(ServerSocketChannel channel, Path path) throws IOException;
  }

  /**
   * Listens.
   *
   * @param path that does not exist, or is the socket of a server that has died; some bytes less
   *     than the system's limit of 107
   * @throws IOException if it is another file, or a server listens there
   */
  public static UnixAcceptor listen(Path path) throws IOException {
    return listen(path, (channel, at) -> channel.bind(UnixDomainSocketAddress.of(at)));
  }

  static UnixAcceptor listen(Path path, Binding binding) throws IOException {
    deleteStale(path);
    Path hidden = privateSibling(path);
    Path fresh = hidden.resolve("s");
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean isDone = false;
    try {
      binding.bind(channel, fresh);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      // Not moved: that would replace the socket of a server that has begun to listen meanwhile.
      Files.createLink(path, fresh);
      Files.delete(fresh);
      Files.delete(hidden);
      isDone = true;
      return new UnixAcceptor(path, channel);
    } catch (FileAlreadyExistsException e) {
      IOException taken = new IOException(refusal(path, "one at which no other server begins"));
      taken.initCause(e);
      throw taken;
    } finally {
      if (!isDone) {
        channel.close();
        Files.deleteIfExists(fresh);
        Files.deleteIfExists(hidden);
      }
    }
  }

  /** A new directory that only its owner can enter. Its name is short, as such paths have to be. */
  private static Path privateSibling(Path path) throws IOException {
    while (true) {
      String name = ".nbd" + Integer.toHexString(ThreadLocalRandom.current().nextInt(NAME_RANGE));
      try {
        return Files.createDirectory(
            path.resolveSibling(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException e) {
        LOG.log(System.Logger.Level.DEBUG, "Taken: {0}", e.getFile());
      }
    }
  }

  private static void deleteStale(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(path)) {
      throw new IOException(refusal(path, "a path that is free"));
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException e) {
      Files.delete(path); // nobody listens any more
      return;
    }
    throw new IOException(refusal(path, "a socket on which no server listens"));
  }

  private static String refusal(Path path, String rule) {
    return ErrorMessage.to("serve block devices").value("socket", path).expected(rule).message();
  }

  @Override
  public Peer accept() throws IOException {
    return new ChannelPeer(channel.accept());
  }

  @Override
  public Handshake.Security security() {
    return Handshake.Security.CLEAR;
  }

  @Override
  public String uri(String export) {
    return "nbd+unix:///" + export + "?socket=" + path;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  /**
   * A connection by a channel. {@code Channels.newInputStream} would have a read keep writes
   * waiting.
   */
  private record ChannelPeer(SocketChannel channel) implements Peer {
    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int lengthBytes) throws IOException {
          int max = Math.min(lengthBytes, MAX_TRANSFER_BYTES);
          return max == 0 ? 0 : channel.read(ByteBuffer.wrap(target, offset, max));
        }
      };
    }

    @Override
    public OutputStream out() {
      return new OutputStream() {
        @Override
        public void write(int value) throws IOException {
          write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int lengthBytes) throws IOException {
          int end = offset + lengthBytes;
          for (int at = offset; at < end; ) {
            at +=
                channel.write(ByteBuffer.wrap(source, at, Math.min(end - at, MAX_TRANSFER_BYTES)));
          }
        }
      };
    }

    @Override
    public String address() {
      return "a client of this machine";
    }

    @Override
    public String host() {
      return address();
    }

    @Override
    public Peer withTls() throws IOException {
      throw new IOException("Cannot begin TLS: connection=Unix domain socket, expected TCP");
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
