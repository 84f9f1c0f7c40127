/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.StorageForm;

/**
 * A file and what is to become of it, in the least that can be sent elsewhere. Immutable.
 *
 * @param path of the file
 * @param inodeId of the file that the advice is for
 * @param verdict of the advice
 * @param from its form as in a rule table
 * @param to wanted form as in a rule table; empty: not known
 * @param rawBytesNow on disks
 * @param rawBytesThen on disks in the wanted form
 */
public record ApplyItem(
    String path,
    long inodeId,
    Advice.Verdict verdict,
    String from,
    String to,
    long rawBytesNow,
    long rawBytesThen) {
  /** Of advice. */
  public static ApplyItem of(Advice advice) {
    return new ApplyItem(
        advice.file().path(),
        advice.file().inodeId(),
        advice.verdict(),
        advice.file().form().text(),
        advice.form().map(StorageForm::text).orElse(""),
        advice.rawBytesNow(),
        advice.rawBytesThen());
  }
}
