/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.store.CrashableByteStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes of format version 1, as they were when it was made. They change only with the version:
 * {@link #main} writes the files, by hand.
 */
class LstorGoldenTest {
  private static final String FOLDER = "/golden/v2/";
  private static final ChecksumSpec CRC32C = new ChecksumSpec(2, 512);
  private static final ChecksumSpec CRC32 = new ChecksumSpec(1, 1024);

  /** What the script leaves on the store. */
  private record Stores(byte[] beforeReplay, byte[] closed) {}

  @Test
  void writesTheSameBytes() throws IOException {
    Stores stores = script();
    assertThat(stores.beforeReplay()).isEqualTo(golden("lstor-journal.bin.gz"));
    assertThat(stores.closed()).isEqualTo(golden("lstor-closed.bin.gz"));
  }

  @Test
  void readsTheGoldenBytes() throws IOException {
    for (String name : List.of("lstor-journal.bin.gz", "lstor-closed.bin.gz")) {
      CrashableByteStore store = CrashableByteStore.of(golden(name), 8, new Random(1));
      assertThat(LstorCheck.check(store, LstorGoldenTest::image).errors()).isEmpty();
      try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
        assertThat(lstor.stats().journal().replayedRecords())
            .isEqualTo(name.contains("journal") ? 9 : 0);
        assertThat(lstor.geometry()).isEqualTo(LstorModel.GEOMETRY);
        assertThat(lstor.identity()).isEqualTo(LstorModel.IDENTITY);
        assertThat(lstor.frames())
            .containsExactly(new FrameRow(0, "DS-one", 42, 7, "DS-two", "node-2", 2));
        assertThat(lstor.entries())
            .containsExactlyInAnyOrder(
                new SlotEntry(
                    0,
                    -5,
                    1001,
                    List.of(new Run(3, 1), new Run(1, 1)),
                    new SlotCoverage(2000, true, 2, 512, 2),
                    new SlotStatus(SlotState.LIVE, false, true)),
                new SlotEntry(
                    2,
                    6,
                    1002,
                    List.of(new Run(3, 1)),
                    new SlotCoverage(1500, true, 1, 1024, 1),
                    new SlotStatus(SlotState.LIMBO, true, false)),
                new SlotEntry(
                    1,
                    7,
                    1003,
                    List.of(new Run(0, 10)),
                    new SlotCoverage(0, false, 0, 0, 1),
                    new SlotStatus(SlotState.RESERVED, false, false)));
        ByteBuffer parity = ByteBuffer.allocate(4);
        lstor.readParity(ParityKind.DATA, 3 * 65536 + 1498, parity);
        byte[] five = ((TestImage) image(lstor.entry(0, -5).orElseThrow())).data();
        byte[] six = ((TestImage) image(lstor.entry(2, 6).orElseThrow())).data();
        assertThat(parity.array())
            .containsExactly(
                times2(five[1498]) ^ six[1498],
                times2(five[1499]) ^ six[1499],
                times2(five[1500]),
                times2(five[1501]));
      }
    }
  }

  private static byte times2(byte element) {
    return (byte) ((element << 1) ^ (element < 0 ? 0x1d : 0));
  }

  @Test
  void anLstorOfVersion1IsTooOld() throws IOException {
    try (InputStream in =
        LstorGoldenTest.class.getResourceAsStream("/golden/v1/lstor-closed.bin.gz")) {
      byte[] old = new GZIPInputStream(in).readAllBytes();
      CrashableByteStore store = CrashableByteStore.of(old, 8, new Random(1));
      assertThatThrownBy(() -> Lstor.open(store, LstorModel.EXPECTATION))
          .isInstanceOf(LstorException.TooOld.class)
          .hasMessageContaining("version=1");
    }
  }

  @Test
  void theDocumentShowsTheSameBoxesAsTheCode() throws IOException {
    assertThat(ByteBoxes.of(LstorFormat.class)).contains("JOURNAL RECORD");
    assertThat(ByteBoxes.page("lstor.md")).contains(ByteBoxes.of(LstorFormat.class));
  }

  @Test
  void theCheckerReadsFilesAndSaysWhatItFinds(@TempDir Path folder) throws IOException {
    byte[] sound = golden("lstor-journal.bin.gz");
    byte[] damaged = sound.clone();
    damaged[damaged.length - 1] ^= 1;
    Files.write(folder.resolve("sound"), sound);
    Files.write(folder.resolve("damaged"), damaged);
    assertThat(check(folder, "sound"))
        .startsWith("0 ")
        .contains("records to replay: 9")
        .contains("sound, 3 rows");
    assertThat(check(folder, "sound", "damaged"))
        .startsWith("1 ")
        .contains("ERROR")
        .contains("region=META");
    assertThat(check(folder)).startsWith("2 ").contains("Usage");
    assertThat(Files.readAllBytes(folder.resolve("damaged"))).isEqualTo(damaged);
  }

  private static String check(Path folder, String... names) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> files = Stream.of(names).map(name -> folder.resolve(name).toString()).toList();
    int exitCode = LstorCheck.checkFiles(files, new PrintStream(out, true, StandardCharsets.UTF_8));
    return exitCode + " " + out.toString(StandardCharsets.UTF_8);
  }

  private static BlockImage image(SlotEntry entry) {
    return new TestImage(entry.frameIndex(), entry.blockId(), 4096, entry.checksum());
  }

  private static Stores script() throws IOException {
    CrashableByteStore store = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
    Lstor.format(store, LstorModel.GEOMETRY, LstorModel.IDENTITY, LstorModel.options(1 << 20));
    Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION);
    lstor.setFrame(new FrameRow(0, "DS-one", 42, 7, "DS-two", "node-2", 2));
    lstor.reserve(0, -5, List.of(new Run(3, 1), new Run(1, 1)), 1000);
    lstor.setCoverage(0, -5, 1001, CRC32C, 2000, new TestImage(0, -5, 4096, CRC32C));
    lstor.reserve(2, 6, List.of(new Run(3, 1)), 1002);
    lstor.setCoverage(2, 6, 1002, CRC32, 3000, new TestImage(2, 6, 4096, CRC32));
    lstor.setCoverage(2, 6, 1002, CRC32, 1500, new TestImage(2, 6, 4096, CRC32));
    lstor.change(0, -5, row -> new SlotStatus(SlotState.LIVE, false, true));
    lstor.change(2, 6, row -> new SlotStatus(SlotState.LIMBO, true, false));
    lstor.reserve(1, 7, List.of(new Run(0, 10)), 1003);
    byte[] beforeReplay = store.content();
    lstor.close();
    return new Stores(beforeReplay, store.content());
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = LstorGoldenTest.class.getResourceAsStream(FOLDER + name)) {
      assertThat(in).as(name).isNotNull();
      return new GZIPInputStream(in).readAllBytes();
    }
  }

  /** Writes the golden files into a folder. */
  public static void main(String[] args) throws IOException {
    Stores stores = script();
    Files.write(Path.of(args[0], "lstor-journal.bin.gz"), gzip(stores.beforeReplay()));
    Files.write(Path.of(args[0], "lstor-closed.bin.gz"), gzip(stores.closed()));
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
