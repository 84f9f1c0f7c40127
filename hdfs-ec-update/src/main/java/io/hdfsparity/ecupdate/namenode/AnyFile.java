/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.FileRule;
import io.hdfsparity.bridge.update.FileView;
import java.util.Optional;

/** Refuses nothing, whatever the file has become. Stateless. */
final class AnyFile implements FileRule<Optional<Refusal>> {
  @Override
  public Optional<Refusal> notAFile(String path) {
    return Optional.empty();
  }

  @Override
  public Optional<Refusal> decide(FileView view) {
    return Optional.empty();
  }
}
