/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The Lstor daemon: serves the parity of disks whose DataNode is dead or has let go of them, from a
 * process of its own (paper section 3.2: an Lstor outlives its disk and the host's software).
 */
package io.hdfsparity.raidp.lstord;
