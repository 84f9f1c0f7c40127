/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.layout.FileParts;
import io.hdfsparity.caso.layout.StoredOrder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * A copy that is made in parts: what each part needs to know. The order of the copy stands in the
 * index that the file {@link #WHOLE} of the folder points to. Immutable.
 *
 * @param fileSystem of all paths
 * @param folder of the parts, which only superusers enter
 * @param source the file as it was before it was read
 * @param parts of the stored copy
 * @param form how its files are made
 * @param isOrdered whether the copy has an order other than its own
 */
public record PartPlan(
    URI fileSystem,
    String folder,
    FileIdentity source,
    FileParts parts,
    Form form,
    boolean isOrdered) {
  /** Name of the file that the parts become. */
  static final String WHOLE = "whole";

  /** Prefix of the name of what was found to be another byte than the file's. */
  static final String DIFFERENT = "different-";

  private static final String PART = "part-";

  /** Bytes between two looks at how far a task is; some seconds' worth at most. */
  private static final int STEP_BYTES = 8 << 20;

  /**
   * How files are made.
   *
   * @param policy name of the erasure coding policy
   * @param storagePolicyId that they are created with; 0: that of the directory
   */
  public record Form(long blockSizeBytes, String policy, int cellSizeBytes, int storagePolicyId) {}

  /** How many bytes a task takes at a time: whole cells. */
  public long stepBytes() {
    return (long) Math.max(1, STEP_BYTES / form.cellSizeBytes()) * form.cellSizeBytes();
  }

  Path path(String name) {
    return new Path(folder, name);
  }

  Path whole() {
    return path(WHOLE);
  }

  /** Where a part is when it is closed. */
  Path part(int part) {
    return path(PART + part);
  }

  /**
   * Where an attempt writes a part. Named as a copy, whose parity may be placed by forecast.
   *
   * @param attempt of no other
   */
  Path attempt(int part, String attempt) {
    return path(WorkFiles.COPY + PART + part + "-" + attempt);
  }

  /**
   * What tells a plan from all others: the bytes of the file, and how they are stored.
   *
   * @param order of the copy; empty: the file's own
   */
  static String digest(
      FileIdentity source, FileParts parts, Form form, Optional<StoredOrder> order) {
    MessageDigest sha256 = FileIdentity.sha256();
    try (DataOutputStream out =
        new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), sha256))) {
      // Not the path: the file may be renamed.
      out.writeLong(source.inodeId());
      out.writeLong(source.lengthBytes());
      out.writeLong(source.modifiedMs());
      out.writeUTF(source.form());
      out.writeUTF(source.blocksDigest());
      out.writeLong(source.updatedMs());
      out.writeLong(parts.partBytes());
      write(form, out);
      out.writeBoolean(order.isPresent());
      if (order.isPresent()) {
        for (int run = 0; run < order.get().runCount(); run++) {
          out.writeLong(order.get().storedStart(run));
          out.writeLong(order.get().count(run));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static void write(Form form, DataOutputStream out) throws IOException {
    out.writeLong(form.blockSizeBytes());
    out.writeUTF(form.policy());
    out.writeInt(form.cellSizeBytes());
    out.writeInt(form.storagePolicyId());
  }

  /** As text of letters, digits, + / and =, for the configuration of a job. */
  public String encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(fileSystem.toString());
      out.writeUTF(folder);
      write(source, out);
      out.writeLong(parts.lengthBytes());
      out.writeLong(parts.partBytes());
      write(form, out);
      out.writeBoolean(isOrdered);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * Reads what {@link #encode} has written.
   *
   * @throws IOException if it is none
   */
  public static PartPlan decode(String text) throws IOException {
    try (DataInputStream in = open(text)) {
      return new PartPlan(
          URI.create(in.readUTF()),
          in.readUTF(),
          readIdentity(in),
          new FileParts(in.readLong(), in.readLong()),
          new Form(in.readLong(), in.readUTF(), in.readInt(), in.readInt()),
          in.readBoolean());
    }
  }

  /** As {@link #encode}, of a file. */
  public static String encode(FileIdentity identity) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(identity, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** As {@link #decode}, of a file. */
  public static FileIdentity decodeIdentity(String text) throws IOException {
    try (DataInputStream in = open(text)) {
      return readIdentity(in);
    }
  }

  private static DataInputStream open(String text) throws IOException {
    try {
      return new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException e) {
      throw new IOException("Cannot read what a part needs: text=" + text + ", expected base64", e);
    }
  }

  private static void write(FileIdentity identity, DataOutputStream out) throws IOException {
    out.writeUTF(identity.path());
    out.writeLong(identity.inodeId());
    out.writeLong(identity.lengthBytes());
    out.writeLong(identity.modifiedMs());
    out.writeUTF(identity.form());
    out.writeUTF(identity.blocksDigest());
    out.writeLong(identity.updatedMs());
  }

  private static FileIdentity readIdentity(DataInputStream in) throws IOException {
    return new FileIdentity(
        in.readUTF(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readUTF(),
        in.readUTF(),
        in.readLong());
  }
}
