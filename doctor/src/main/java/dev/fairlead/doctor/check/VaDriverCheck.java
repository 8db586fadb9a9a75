package dev.fairlead.doctor.check;

import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.PciCard;
import java.util.List;

/** Whether there is a driver of VAAPI for the cards of Intel and AMD. */
final class VaDriverCheck implements Check {
  @Override
  public String id() {
    return "driver.vaapi";
  }

  @Override
  public Finding run(Subject subject) {
    List<Vendor> vendors =
        subject.machine().cards().stream()
            .map(PciCard::vendor)
            .filter(vendor -> !vendor.equals(Vendor.NVIDIA))
            .distinct()
            .toList();
    if (vendors.isEmpty()) {
      return Finding.skip("there is no card of amd or intel");
    }
    for (Vendor vendor : vendors) {
      if (Drivers.vaapi(vendor, subject.machine()).isEmpty()) {
        return Finding.fail(
            "there is no driver of VAAPI for cards of " + vendor,
            vendor.equals(Vendor.INTEL)
                ? "Install it: apt-get install intel-media-va-driver (non-free, for more codecs:"
                    + " intel-media-va-driver-non-free)"
                : "Install it: apt-get install mesa-va-drivers");
      }
    }
    return Finding.pass("a driver of VAAPI is there for cards of " + vendors);
  }
}
