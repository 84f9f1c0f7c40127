/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.core.check.Checks;

/**
 * The paper's baseline stripe organization (BSO): cells in order of address, round robin.
 *
 * @param dataCells the paper's k, at least 1
 */
public record SequentialOrganization(int dataCells) implements Organization {
  public SequentialOrganization {
    Checks.argument(dataCells >= 1, "organize stripes", "dataCells", dataCells, ">= 1");
  }

  @Override
  public long storedCell(long logicalCell) {
    return logicalCell;
  }

  @Override
  public long logicalCell(long storedCell) {
    return storedCell;
  }

  @Override
  public long[] displacedCells() {
    return new long[0];
  }
}
