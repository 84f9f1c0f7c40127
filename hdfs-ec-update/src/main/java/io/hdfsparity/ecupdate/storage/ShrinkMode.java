/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

/**
 * What is done with reserved space at the end of a period: the paper's variants (section 6.3.2).
 */
public enum ShrinkMode {
  SHRINK_ONLY,
  SHRINK_AND_MERGE
}
