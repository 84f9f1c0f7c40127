/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * On-disk formats of RAIDP outside the Lstor: who a disk and a volume are. See
 * docs/formats/frame-file.md.
 */
package io.hdfsparity.raidp.format;
