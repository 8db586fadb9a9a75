/** What was proven, as it is kept from run to run. */
@NullMarked
package dev.fairlead.doctor.profile;

import org.jspecify.annotations.NullMarked;
