/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.recovery.ChecksumFile;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealReport.Outcome;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a damaged replica right. Stock HDFS copies its mirror to another node and drops it; the
 * second replica of a pair has no other place.
 *
 * <p>In place, when the row still covers the replica whole: the parity was made of the good bytes
 * and stays as it is, and so the block is protected all the time. The bytes come from the mirror,
 * or, when that is damaged as well, from the disk's own parity and its other blocks. They are
 * written beside, read against the CRCs that came with them, synced, and renamed over the damaged
 * files. Where the row does not fit any more (the file was cut behind HDFS' back, and the DataNode
 * restarted since), or the replica is what a failed write has left, it is abandoned, provided that
 * the mirror has been read and is good; HDFS then copies that.
 *
 * <p>Thread-safe.
 */
final class ReplicaHealer {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaHealer.class);
  private static final int PIECE_BYTES = 1 << 20;

  private final NodeFrames frames;
  private final DatasetAccess dataset;

  /** Blocks that are being healed: two orders for one block would write the same files. */
  private final Set<Long> busy = ConcurrentHashMap.newKeySet();

  /**
   * @param dataset lets files of finalized replicas be replaced
   */
  ReplicaHealer(NodeFrames frames, DatasetAccess dataset) {
    this.frames = frames;
    this.dataset = dataset;
  }

  /** Takes verified bytes. */
  private interface Sink {
    void accept(ByteBuffer bytes) throws IOException;
  }

  /**
   * Looks at a replica and heals it if it is damaged.
   *
   * @throws IOException when there is no such frame, or its disk has failed
   */
  HealReport heal(HealRequest request) throws IOException {
    FrameEngine engine =
        frames
            .volume(request.storageId())
            .orElseThrow(
                () ->
                    new IOException(
                        "Cannot heal replica: storageId="
                            + request.storageId()
                            + ", expected one of this node's frames"))
            .engineOf(request.blockId())
            .orElse(null);
    if (engine == null) {
      return failed(request, "it is in no superchunk");
    }
    Frame frame = engine.frame();
    frame.disk().requireOk();
    if (!busy.add(request.blockId())) {
      return failed(request, "it is being healed");
    }
    try {
      if (frame.isOpen(request.blockId())) {
        return isLeftBehind(request)
            ? giveUp(frame, request, "its pipeline has gone on without it")
            : failed(request, "it is being written");
      }
      ReplicaFiles files =
          frame.directory().findFinalized(frame.blockPoolId(), request.blockId()).orElse(null);
      // A recovery has changed it since the order was made.
      if (files != null && files.generationStamp() > request.generationStamp()) {
        return failed(request, "the order is older than the replica");
      }
      Optional<String> damage = damage(frame, files, request);
      if (damage.isEmpty()) {
        return new HealReport(Outcome.GOOD, "read and verified");
      }
      LOG.warn(
          "Replica is damaged: block={} storageId={} cause={}",
          request.blockId(),
          request.storageId(),
          damage.get());
      SlotEntry row = engine.coverage().find(request.blockId()).orElse(null);
      HealReport report =
          row != null && coversWhole(row, request) && !frame.disk().lostRows().contains(row)
              ? inPlace(frame, row, request)
              : giveUp(frame, request, "its row does not cover it: " + row);
      LOG.warn(
          "Healing a replica: block={} storageId={} outcome={} {}",
          request.blockId(),
          request.storageId(),
          report.outcome(),
          report.detail());
      return report;
    } finally {
      busy.remove(request.blockId());
    }
  }

  /**
   * Whether a write that failed has left it, and the block got a newer generation stamp. HDFS
   * deletes it as soon as it learns of it; unless it does so before the block is complete, when it
   * only marks it ({@code BlockManager.markBlockAsCorrupt}: no replica counts as live then).
   */
  private boolean isLeftBehind(HealRequest request) {
    ReplicaView replica = dataset.replica(request.storageId(), request.blockId());
    return replica != null && replica.generationStamp() < request.generationStamp();
  }

  private static boolean coversWhole(SlotEntry row, HealRequest request) {
    return row.state() == SlotState.LIVE
        && row.coversAnything()
        && row.generationStamp() == request.generationStamp()
        && row.coveredBytes() == request.lengthBytes();
  }

  private static HealReport failed(HealRequest request, String why) {
    return new HealReport(
        Outcome.FAILED,
        "Cannot heal replica: block="
            + request.blockId()
            + " storageId="
            + request.storageId()
            + ": "
            + why);
  }

  /** What is wrong with the replica; empty: nothing. */
  private static Optional<String> damage(
      Frame frame, @Nullable ReplicaFiles files, HealRequest request) throws IOException {
    if (files == null) {
      return Optional.of("a file is missing");
    }
    if (files.generationStamp() != request.generationStamp()) {
      return Optional.of(
          "generationStamp=" + files.generationStamp() + ", expected " + request.generationStamp());
    }
    try {
      long length = ReplicaCheck.verify(files);
      return length == request.lengthBytes()
          ? Optional.empty()
          : Optional.of("lengthBytes=" + length + ", expected " + request.lengthBytes());
    } catch (IOException e) {
      frame.disk().requireOk();
      return Optional.of(e.toString());
    }
  }

  // ---------------------------------------------------------------- in place

  private HealReport inPlace(Frame frame, SlotEntry row, HealRequest request) throws IOException {
    Path limbo = frame.directory().root().resolve(Limbo.DIRECTORY);
    // Limbo drops such names when it is opened, so a crash leaves nothing behind.
    Path data = limbo.resolve("heal-" + row.blockId() + ".data.tmp");
    Path meta = limbo.resolve("heal-" + row.blockId() + ".meta.tmp");
    try {
      List<String> failures = new ArrayList<>();
      String source = write(frame, row, data, meta, failures).orElse(null);
      if (source == null) {
        return failed(request, "neither the mirror nor the parity has its bytes: " + failures);
      }
      if (!dataset.replaceFiles(
          frame.storageId(),
          row.blockId(),
          row.generationStamp(),
          row.coveredBytes(),
          data.toFile(),
          meta.toFile())) {
        return giveUp(frame, request, "the dataset knows another state of it");
      }
      return new HealReport(
          Outcome.HEALED, "in place from " + source + parityVerdict(frame.disk(), row));
    } finally {
      Files.deleteIfExists(data);
      Files.deleteIfExists(meta);
    }
  }

  /** Writes the image from the first source that has it whole; says which one. */
  private Optional<String> write(
      Frame frame, SlotEntry row, Path data, Path meta, List<String> failures) throws IOException {
    try {
      Pairing pairing = frame.requirePairing();
      RaidpPeerProtocol peer = frame.disk().context().partners().requireReachable(pairing);
      RemoteImage mirror = new RemoteImage(peer, pairing, row);
      write(mirror, row, data, meta);
      return Optional.of("the mirror");
    } catch (IOException e) {
      failures.add("mirror: " + e.getMessage());
    }
    try {
      write(new ParityImage(frame.disk(), row), row, data, meta);
      return Optional.of("the parity");
    } catch (IOException e) {
      frame.disk().requireOk();
      failures.add("parity: " + e.getMessage());
    }
    return Optional.empty();
  }

  private static void write(BlockImage image, SlotEntry row, Path data, Path meta)
      throws IOException {
    try (FileChannel out = create(data)) {
      ChecksumFile checksums = copy(image, row, bytes -> writeFully(out, bytes));
      out.force(true);
      try (FileChannel metaOut = create(meta)) {
        writeFully(metaOut, ByteBuffer.wrap(checksums.bytes()));
        metaOut.force(true);
      }
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return PrivateFiles.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /** Reads an image whole; what reaches the sink matches the checksum file that is returned. */
  private static ChecksumFile copy(BlockImage image, SlotEntry row, Sink sink) throws IOException {
    ByteBuffer meta = ByteBuffer.allocate(Math.toIntExact(row.coveredMetaBytes()));
    image.readMeta(row.coveredBytes(), 0, meta);
    ChecksumFile checksums = ChecksumFile.of(row, meta.array());
    int chunk = row.bytesPerChecksum();
    ByteBuffer piece = ByteBuffer.allocate(Math.max(chunk, PIECE_BYTES / chunk * chunk));
    for (long at = 0; at < row.coveredBytes(); at += piece.limit()) {
      piece.clear().limit((int) Math.min(piece.capacity(), row.coveredBytes() - at));
      image.readData(at, piece);
      String mismatch = checksums.mismatch(at, piece.flip());
      if (mismatch != null) {
        throw new ImageException.Corrupt(
            "Cannot use image: block=" + row.blockId() + " " + mismatch + ", expected its CRC");
      }
      sink.accept(piece);
    }
    return checksums;
  }

  /** The parity was not touched: it has to fit what the replica is now. */
  private static String parityVerdict(DiskEngine disk, SlotEntry row) {
    ParityComparison comparison = new ParityComparison(disk);
    try {
      for (Run run : row.runs()) {
        for (int unit = run.start(); unit < run.end(); unit++) {
          Optional<String> difference = comparison.compare(unit);
          if (difference.isPresent()) {
            return "; but unit " + unit + " needs -fsck -repair: " + difference.get();
          }
        }
      }
      return "; the parity agrees";
    } catch (IOException e) {
      return "; the parity could not be compared: " + e.getMessage();
    }
  }

  // ---------------------------------------------------------------- giving up

  /** Deletes the replica, once the mirror has been read whole. */
  private HealReport giveUp(Frame frame, HealRequest request, String why) throws IOException {
    try {
      Pairing pairing = frame.requirePairing();
      RaidpPeerProtocol peer = frame.disk().context().partners().requireReachable(pairing);
      SlotEntry theirs =
          peer.covered(
                  Frame.ref(pairing), request.blockId(), request.generationStamp(), 0, List.of())
              .orElse(null);
      if (theirs == null || !coversWhole(theirs, request)) {
        return failed(request, why + "; and the mirror's row is " + theirs);
      }
      copy(new RemoteImage(peer, pairing, theirs), theirs, bytes -> {});
    } catch (IOException e) {
      return failed(request, why + "; and the mirror cannot be read: " + e.getMessage());
    }
    dataset.discard(request.storageId(), request.blockId(), request.generationStamp());
    return new HealReport(Outcome.GIVEN_UP, why + "; HDFS copies its good mirror");
  }
}
