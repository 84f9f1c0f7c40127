/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Optional;

/**
 * Which requests are carried out, by the specification's sections "Request types", "Size
 * constraints" and "Error values". Immutable.
 *
 * @param sizeBytes of the device
 * @param access what clients may do
 * @param maxPayloadBytes of a read or write
 */
record RequestRules(long sizeBytes, ServedExport.Access access, int maxPayloadBytes) {
  /**
   * Why a request is refused.
   *
   * @param error that is answered
   * @param message for people
   */
  record Refusal(NbdError error, String message) {}

  /** Empty: the request is to be carried out. */
  Optional<Refusal> judge(Request request) {
    int known = knownFlags(request.type());
    if (known < 0) {
      return refused(NbdError.EINVAL, "type", request.type(), "a command that was offered");
    }
    if ((request.flags() & ~known) != 0) {
      return refused(NbdError.EINVAL, "flags", request.flags(), "those of the command only");
    }
    return switch (request.type()) {
      case NbdConstants.CMD_READ ->
          judgePayload(request).or(() -> judgeRange(request, NbdError.EINVAL));
      case NbdConstants.CMD_WRITE ->
          judgeAccess()
              .or(() -> judgePayload(request))
              .or(() -> judgeRange(request, NbdError.ENOSPC));
      case NbdConstants.CMD_WRITE_ZEROES ->
          judgeAccess().or(() -> judgeRange(request, NbdError.ENOSPC));
      default ->
          request.offset() == 0 && request.lengthBytes() == 0
              ? Optional.empty()
              : refused(NbdError.EINVAL, "offset or length of a flush", "other", "0");
    };
  }

  /** Flags that a command may have; -1: there is no such command. FUA is valid for all. */
  private static int knownFlags(int type) {
    return switch (type) {
      case NbdConstants.CMD_READ -> NbdConstants.CMD_FLAG_FUA | NbdConstants.CMD_FLAG_DF;
      case NbdConstants.CMD_WRITE, NbdConstants.CMD_FLUSH -> NbdConstants.CMD_FLAG_FUA;
      case NbdConstants.CMD_WRITE_ZEROES ->
          NbdConstants.CMD_FLAG_FUA | NbdConstants.CMD_FLAG_NO_HOLE;
      default -> -1;
    };
  }

  private Optional<Refusal> judgeAccess() {
    return access == ServedExport.Access.READ_WRITE
        ? Optional.empty()
        : refused(NbdError.EPERM, "export", "read-only", "one that is writable");
  }

  private Optional<Refusal> judgePayload(Request request) {
    return request.lengthBytes() <= maxPayloadBytes
        ? Optional.empty()
        : refused(NbdError.EINVAL, "length", request.lengthBytes(), "at most " + maxPayloadBytes);
  }

  private Optional<Refusal> judgeRange(Request request, NbdError error) {
    return request.isInside(sizeBytes)
        ? Optional.empty()
        : refused(
            error,
            "range",
            Long.toUnsignedString(request.offset()) + "+" + request.lengthBytes(),
            "inside the device, size=" + sizeBytes);
  }

  private static Optional<Refusal> refused(NbdError error, String name, Object value, String rule) {
    return Optional.of(
        new Refusal(
            error,
            ErrorMessage.to("carry out a request").value(name, value).expected(rule).message()));
  }
}
