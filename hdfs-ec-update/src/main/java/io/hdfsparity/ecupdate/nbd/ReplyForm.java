/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

/** How reads are answered; negotiated by NBD_OPT_STRUCTURED_REPLY. */
enum ReplyForm {
  SIMPLE,
  STRUCTURED
}
