<?php
// In a staging copy: search engines are kept away, and its administrators see where they are.

add_filter( 'pre_option_blog_public', static fn () => '0' );

add_action(
	'admin_bar_menu',
	static function ( $bar ) {
		$title = nido_text( 'Copia de pruebas', 'Staging copy' );
		$style = 'background:#b45309;color:#fff;padding:0 10px;display:inline-block';
		$bar->add_node( array( 'id' => 'nido-staging', 'title' => "<span style='$style'>$title</span>" ) );
	},
	1
);

add_action(
	'admin_notices',
	static function () {
		$shops   = '~^(woocommerce|woo-|easy-digital-downloads|give|surecart|memberpress|paid-memberships-pro|charitable|wp-simple-pay|stripe|paypal|mollie|redsys|sumup)~';
		$folders = array_filter( (array) get_option( 'active_plugins' ), static fn ( $file ) => preg_match( $shops, $file ) );
		if ( ! $folders || ! current_user_can( 'manage_options' ) ) {
			return;
		}
		$names = implode( ', ', array_unique( array_map( static fn ( $file ) => strtok( $file, '/' ), $folders ) ) );
		$text  = nido_text(
			'Esta es una copia de pruebas, pero estos plugins pueden cobrar de verdad: %s. Ponlos en modo de pruebas antes de probar una compra.',
			'This is a staging copy, but these plugins may take real payments: %s. Switch them to test mode before you try a purchase.'
		);
		wp_admin_notice( esc_html( sprintf( $text, $names ) ), array( 'type' => 'warning' ) );
	}
);
